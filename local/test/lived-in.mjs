import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * The environment variable with the test files that run in the lived-in world: paths from the root
 * of the project, separated by commas, or `*` for all journeys and scenarios.
 */
export const livedInVariable = 'TEST_LIVED_IN_FILES'

/** The test files that pass in the lived-in world. A fifth of them runs there in each landing. */
export const livedInFiles = [
  ...[
    ...['account', 'explorer', 'files', 'firefox', 'first-day', 'foreign-port', 'frame'],
    ...['keyboard', 'keyboard-tasks', 'logs', 'lost-modules', 'management', 'new-stack'],
    ...['restart', 'session', 'single-sign-on', 'stack', 'stacks', 'tls-proxy', 'trouble'],
  ].map((name) => `local/journeys/${name}.engine.test.ts`),
  ...[
    ...['absent-agent', 'access', 'adopt', 'agent-clock', 'agent-deadlines', 'agent-engine'],
    ...['alert-delivery', 'alert-rules', 'audit', 'backup-targets', 'backups', 'broken-engine'],
    ...['build', 'canary', 'examples', 'clock', 'cloud-functions', 'container-states'],
    ...['copied-files', 'crash', 'damaged-data', 'exec', 'failed-deploy', 'fan-out'],
    ...['far-machine', 'filled-lists', 'forged-backups', 'forged-labels', 'full-disk'],
    ...['functions-sign-in', 'image-names', 'interoperation', 'interoperation-shapes'],
    ...['interrupted-client', 'killed-functions', 'killed-sweeps', 'killed-uploads'],
    ...['killed-work', 'links', 'lockout', 'main-job', 'one-offs', 'owners', 'processes'],
    ...['reconnect', 'reset-password', 'restore', 'rollback', 'service-verbs', 'shared-keys'],
    ...['shared-things', 'skewed-clocks', 'stack-tree', 'two-people', 'two-sidecars'],
    'trouble',
  ].map((name) => `local/scenarios/${name}.engine.test.ts`),
  'local/scenarios/agents.timing.test.ts',
]

const noSidecar = 'agents of the world connect to a process that the test starts later'

/**
 * Journeys and scenarios that cannot pass in the lived-in world.
 *
 * @type {readonly { file: string, reason: string }[]}
 */
export const notLivedIn = [
  { file: 'local/journeys/feeds-elsewhere.engine.test.ts', reason: noSidecar },
  { file: 'local/journeys/pictures.engine.test.ts', reason: 'its pictures show an empty world' },
  { file: 'local/scenarios/feeds.engine.test.ts', reason: noSidecar },
]

/** The number of parts that the files are divided into. */
const parts = 5

/**
 * Returns the files that run in the lived-in world at this landing: each file at every fifth one.
 *
 * @param {number} landing the number of landings before it
 * @param {readonly string[]} files
 */
export const filesOfLanding = (landing, files = livedInFiles) =>
  files.toSorted().filter((_, index) => index % parts === landing % parts)

/**
 * Returns whether a test file runs in the lived-in world.
 *
 * @param {string} path
 * @param {string} [chosen] the value of `livedInVariable`
 */
export function isChosen(path, chosen = process.env[livedInVariable] ?? '') {
  const isPath = (/** @type {string} */ one) => path.endsWith(`/${one}`)
  if (chosen !== '*') return chosen.split(',').some((one) => one !== '' && isPath(one))
  const isStory = /\/local\/(?:journeys|scenarios)\//.test(path)
  return isStory && !notLivedIn.some(({ file }) => isPath(file))
}

/** Returns the lines that name the files in the lived-in world and how to repeat them. */
export const linesOfLivedIn = (/** @type {readonly string[]} */ files) =>
  files.length === 0
    ? []
    : [
        `${files.length} files run in the lived-in world. To repeat that:`,
        `npm test -- --world lived-in ${files.join(' ')}`,
      ]

/**
 * Takes `--world lived-in` out of the words of a command line.
 *
 * @param {readonly string[]} words
 * @returns {{ words: string[], variables: Record<string, string> }} the other words, and variables
 *   of the environment
 * @throws if there is no such world
 */
export function withWorld(words) {
  const flag = words.indexOf('--world')
  if (flag < 0) return { words: [...words], variables: {} }
  const world = words[flag + 1]
  if (world !== 'lived-in') throw new Error(`--world: unknown world ${world}, use lived-in`)
  return { words: words.toSpliced(flag, 2), variables: { [livedInVariable]: '*' } }
}

/**
 * Returns the number of commits in the history of a clone, or a number from the commit's id if the
 * clone has only a part of it, so that its landings do not all choose the same files. It is 0 if
 * this is no clone.
 *
 * @param {string} cwd
 */
export function landingNumber(cwd = fileURLToPath(new URL('../..', import.meta.url))) {
  const ask = (/** @type {string[]} */ ...words) => {
    const { status, stdout } = spawnSync('git', words, { cwd, encoding: 'utf8' })
    return status === 0 ? stdout.trim() : ''
  }
  if (ask('rev-parse', '--is-shallow-repository') === 'true')
    return Number.parseInt(ask('rev-parse', 'HEAD').slice(0, 8), 16)
  return Number(ask('rev-list', '--count', '--first-parent', 'HEAD'))
}
