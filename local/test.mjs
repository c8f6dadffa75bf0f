// Sets up what the tests need (packages, Java, a Docker Engine, a registry, a browser), then runs
// all of them. A few failed files of the engine and timing tiers are run once more, alone.
// `--all` adds the second ring: what repeats harder what other tests show, also on another Engine.
// `--changed [commit]` runs the tests that a change is most likely to break, in three minutes.
// `--engine 28` runs them on that version of the Docker Engine, beside the one of this machine.
// `contract --endpoint URL` runs the contract of stores alone, on a store of your choice, and kills
// processes that write to it.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { programPackages } from './programs/processors.mjs'
import { ensureCompose } from './setup/compose.mjs'
import { ensureBusybox, ensureEngine } from './setup/engine.mjs'
import { ensureJava } from './setup/java.mjs'
import { ensureModules } from './setup/modules.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { changedFlag, chooseChanged } from './test/changed-run.mjs'
import { withWorld } from './test/lived-in.mjs'
import { countsFile, otherEngine, runMainTests, runOnEngine } from './test/other-engine-run.mjs'
import { recordRuns, resultsIn, resultsOfAll } from './test/ring-records.mjs'
import { withSecondRing } from './test/second-ring.mjs'
import { enginePart, parts } from './test/second-ring-parts.mjs'
import { sweep } from './test/sweep.mjs'
import { failures, filesToRepeat, merged, passedIn, secondRuns } from './test/verdict.mjs'
import { joined, runTests } from './test/vitest-run.mjs'
import { linesOf, runAll } from './test/whole-run.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Writes the durations of a run without failures, which order and judge the next ones. */
const recordFlag = '--record-durations'
const records = process.argv.includes(recordFlag)
/** Runs the second ring, too. */
const allFlag = '--all'
const all = process.argv.includes(allFlag)
const flags = [recordFlag, allFlag]
const given = process.argv.slice(2).filter((word) => !flags.includes(word))
/** What to run for a change, if that is asked for. */
const change = given[0] === changedFlag && ensureModules() ? chooseChanged(given[1]) : undefined
/** `--world lived-in` runs the tests in that world: `local/test/lived-in.mjs`. */
const { words, variables: inWorld } = withWorld(change?.paths ?? given)

const engineFlag = process.argv.indexOf('--engine')
/** Whether this process runs where another Engine is. */
const isBesideEngine = process.env[otherEngine] !== undefined
/** Whether all tests run. */
const isWhole = !isBesideEngine && words.length === 0

/** Whether only unit tests are asked for, as with `--project unit`. They need no Engine. */
const isUnitOnly = change ? !change.needsEngine : /--project[= ]'?unit/.test(process.argv.join(' '))

async function setUp() {
  if (!ensureModules()) return false
  if (isUnitOnly) return ensureJava() && ensureCompose() !== undefined
  const packages = ensurePackages(
    [
      'age',
      'ansible-core',
      'chromium-headless-shell',
      'debootstrap',
      'docker-registry',
      'firefox-esr',
      'iproute2',
      'libfaketime',
      'openssh-client',
      'openssh-server',
      'openssl',
      'qemu-user-static',
      'python3-swift',
      'sqlite3',
      'systemd',
      'zstd',
      ...programPackages,
    ],
    'the tests',
    console.log,
    { idle: true },
  )
  const engine = (await ensureEngine({ complete: true })) && (await ensureBusybox())
  return ensureJava() && engine && packages && ensureCompose() !== undefined
}

if (process.argv[2] === 'contract' && process.argv.length > 3) {
  const program = ['tsx', 'local/contract/main.ts', ...process.argv.slice(3)]
  const status = ensureModules()
    ? spawnSync('npx', program, { cwd: root, stdio: 'inherit' }).status
    : 2
  process.exit(status ?? 2)
}
if (change) {
  for (const line of change.lines) console.log(line)
  if (change.problem) console.error(`--changed: ${change.problem}`)
  if (change.paths.length === 0) end({ passed: 0, failed: change.problem ? 1 : 0 })
}
if (!(await setUp())) {
  console.error('The tests need the programs named above.')
  process.exit(1)
}
if (engineFlag >= 0) {
  const words = process.argv.slice(1)
  const [, name = ''] = words.splice(engineFlag - 1, 2)
  const counts = runOnEngine(name, words)
  if (words.length === 1 && counts.passed > 0) recordRuns({ [enginePart(name)]: counts })
  end(counts)
}
process.env.CONTAINER_STACKS_TEST_RUN = randomBytes(3).toString('hex')
// What killed tests left is not where another Engine is.
if (!isUnitOnly && !isBesideEngine) await sweep()
const { build } = await import('../packaging/build/build.mjs')
await build()

const program = parts.find(({ name }) => all && name === words[0])?.program
if (program) endOfProgram(program)
const ring = { ...(all ? withSecondRing : {}), ...inWorld }
const first = isWhole
  ? runAll({ ring, all, records })
  : { ...runTests(words, ring), leftOut: [], variables: ring }
const again = filesToRepeat(first.report)
/** @type {import('./test/vitest-run.mjs').Run[]} */
const repeats = []
for (const path of again) {
  if (!isBesideEngine) await sweep()
  console.log(`\nRunning ${path} once more, alone`)
  repeats.push(runTests([path, ...namesIn(words)], first.variables))
}
const second = joined(repeats)
for (const line of secondRuns(first.report, second.report)) console.log(line)
const succeeded = again.length > 0 ? second.succeeded : first.succeeded
const report = merged(first.report, second.report)
const failed = failures(report, succeeded)
const [main = ''] = process.argv.slice(1)
const newer = isWhole && all && canUnshare() ? runMainTests(main) : undefined
if (all && !isBesideEngine)
  recordRuns(isWhole ? resultsOfAll(report, newer) : resultsIn(report, words))
for (const line of [...linesOf(first.leftOut), ...failed]) console.log(line)
if (change?.leftOut) console.log(change.leftOut)
end({
  passed: passedIn(report) + (newer?.passed ?? 0),
  failed: failed.length + (newer?.failed ?? 0),
})

/** Ends this process with the last line, and with its exit status. */
function end(/** @type {{ passed: number, failed: number }} */ { passed, failed }) {
  const file = process.env[countsFile]
  if (file) writeFileSync(file, JSON.stringify({ passed, failed }))
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}

/** Runs a part of the second ring that vitest does not run, records it, and ends this process. */
function endOfProgram(/** @type {readonly string[]} */ [command = '', ...words]) {
  const { status } = spawnSync(command, words, { cwd: root, stdio: 'inherit' })
  const counts = status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
  recordRuns({ [given[0] ?? '']: counts })
  end(counts)
}

/** Returns whether another Engine can run here: it needs root on Linux and Debian's packages. */
function canUnshare() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/dpkg')
}

/** Returns the options that choose tests by their names, such as `-t words`. */
function namesIn(/** @type {string[]} */ words) {
  return words.flatMap((word, index) => (word === '-t' ? [word, words[index + 1] ?? ''] : []))
}
