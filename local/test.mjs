// Sets up what the tests need (packages, Java, a Docker Engine, a registry, a browser), then runs
// all of them.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programPackages } from './programs/processors.mjs'
import { ensureCompose } from './setup/compose.mjs'
import { ensureBusybox, ensureEngine } from './setup/engine.mjs'
import { ensureJava } from './setup/java.mjs'
import { ensureModules } from './setup/modules.mjs'
import { ensurePackages } from './setup/packages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

async function setUp() {
  if (!ensureModules()) return false
  const packages = ensurePackages(
    [
      'age',
      'chromium',
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
      'systemd',
      'zstd',
      ...programPackages,
    ],
    'the tests',
    console.log,
    { idle: true },
  )
  const engine = (await ensureEngine()) && (await ensureBusybox())
  return ensureJava() && engine && packages && ensureCompose() !== undefined
}

if (!(await setUp())) {
  console.error('The tests need the programs named above.')
  process.exit(1)
}
const { build } = await import('./build.mjs')
await build()

const folder = mkdtempSync(join(tmpdir(), 'container-stacks-report-'))
const report = join(folder, 'report.json')
const { status } = spawnSync(
  'npx',
  [
    'vitest',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
)
let failed = 1
try {
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(
    readFileSync(report, 'utf8'),
  )
  failed = Math.max(numFailedTests, numFailedTestSuites > 0 || status !== 0 ? 1 : 0)
  console.log(`${numPassedTests} passed, ${failed} failed`)
} catch {
  console.log('0 passed, 1 failed')
}
rmSync(folder, { recursive: true, force: true })
process.exit(failed === 0 ? 0 : 1)
