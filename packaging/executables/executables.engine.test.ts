import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { admin, clientWorld } from '../../local/harness/client.ts'
import { paced } from '../../local/harness/pace.ts'
import { ensurePackages } from '../../local/setup/packages.mjs'
import packageFile from '../../package.json' with { type: 'json' }
import { checkIntegrity } from '../contents/node-program.mjs'
import { buildExecutable, buildPackages, commandOf } from './build-executable.ts'
import { bundleProgram } from './bundle.ts'
import { checkSignature } from './check-mach-o.ts'
import { cpus, readMachO, segmentOf } from './mach-o.ts'
import { nameOf, programs, type Target, targets } from './targets.ts'

const folder = mkdtempSync(join(tmpdir(), 'executables-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const targetOf = (name: string) => present(targets.find((one) => nameOf(one) === name))
const fileOf = (program: string, target: Target) => join(folder, `${program}-${nameOf(target)}`)
const amd64 = targetOf('linux-amd64')
const arm64 = targetOf('linux-arm64')

beforeAll(async () => {
  if (!ensurePackages(buildPackages, 'the executables')) throw new Error('packages are missing')
  for (const program of programs) {
    const { script } = await bundleProgram(program.main)
    for (const target of targets) {
      if (!program.systems.includes(target.os)) continue
      buildExecutable(program, script, target, fileOf(program.name, target))
    }
  }
}, paced(300_000))

/** Runs a Linux executable, through an emulator if it is for another processor. */
function run(program: string, target: Target, words: string[], env: Record<string, string> = {}) {
  const [command = '', ...prefix] = present(commandOf(target, fileOf(program, target)))
  return spawnSync(command, [...prefix, ...words], {
    encoding: 'utf8',
    env: { HOME: folder, ...env },
    cwd: folder,
  })
}

test.each([amd64, arm64])('$os $arch: the client prints its version and help', (target) => {
  expect(run('cli', target, ['--version'])).toMatchObject({
    status: 0,
    stdout: `cli ${packageFile.version}\n`,
    stderr: '',
  })
  const help = run('cli', target, ['stacks', 'deploy', '--help'])
  expect(help).toMatchObject({ status: 0, stderr: '' })
  expect(help.stdout).toContain('cli stacks deploy')
})

test.each([amd64, arm64])('$os $arch: the client logs in and lists stacks', async (target) => {
  await using world = await clientWorld()
  const [command = '', ...prefix] = present(commandOf(target, fileOf('cli', target)))
  const { spawn } = await import('node:child_process')
  const call = (words: string[], input = '') =>
    new Promise<{ code: number | null; out: string }>((resolve) => {
      const child = spawn(command, [...prefix, ...words], { env: { HOME: world.home } })
      let out = ''
      child.stdout.on('data', (chunk) => {
        out += chunk
      })
      child.on('close', (code) => resolve({ code, out }))
      child.stdin.end(input)
    })
  const login = await call(['login', world.server, '--user', admin.username], admin.password)
  expect(login.code).toBe(0)
  expect(await call(['whoami'])).toMatchObject({ code: 0, out: expect.stringContaining('ada') })
  expect(await call(['stacks', 'list', '--output', 'json'])).toMatchObject({ code: 0 })
})

test.each([amd64, arm64])('$os $arch: the agent starts, and says why it cannot enrol', (target) => {
  const words = ['enrol', '--server', 'http://127.0.0.1:1', '--token', 'x', '--data', folder]
  const refused = run('agent', target, words)
  expect(refused.status).toBe(1)
  expect(refused.stderr).toMatch(/^agent: /)
})

test('an executable ignores the options of a user’s own Node.js programs', () => {
  const preloaded = join(folder, 'preloaded.cjs')
  writeFileSync(preloaded, 'console.log("preloaded")')
  const env = { NODE_OPTIONS: `--require ${preloaded}` }
  const { status, stdout } = run('cli', amd64, ['--version'], env)
  expect({ status, stdout }).toEqual({ status: 0, stdout: `cli ${packageFile.version}\n` })
})

test('an executable is one script, not Node.js: options of Node.js are not understood', () => {
  const { status, stderr } = run('cli', amd64, ['-e', 'console.log(1)'])
  expect(status).toBe(2)
  expect(stderr).toMatch(/^cli: /)
})

test('an executable has no symbols left that only a debugger reads', () => {
  const sections = execFileSync('readelf', ['--sections', '--wide', fileOf('cli', arm64)])
  expect(String(sections)).not.toContain('.symtab')
})

test.each([amd64, arm64])(
  '$os $arch: needs only libraries that every glibc system has',
  (target) => {
    const dynamic = execFileSync('readelf', ['--dynamic', fileOf('cli', target)], {
      encoding: 'utf8',
    })
    const needed = [...dynamic.matchAll(/NEEDED.*\[(?:lib)?([a-z_+]+)/g)].map(([, name]) => name)
    const base = ['c', 'dl', 'gcc_s', 'ld', 'm', 'pthread', 'stdc++']
    expect(needed.length).toBeGreaterThan(3)
    expect(needed.filter((name) => !base.includes(name ?? ''))).toEqual([])
  },
)

test.each(['amd64', 'arm64'] as const)(
  'darwin %s: the signature matches the executable',
  (arch) => {
    const file = readFileSync(fileOf('cli', targetOf(`darwin-${arch}`)))
    const parts = readMachO(file)
    expect(parts.cpu).toBe(cpus[arch])
    expect(segmentOf(parts, 'NODE_SEA').sections).toHaveLength(1)
    const signature = checkSignature(file)
    expect(signature).toMatchObject({ identifier: 'container-stacks-cli', isAdHoc: true })
    expect(signature.pages).toBeGreaterThan(20_000)
  },
)

test('rejects an archive of Node.js that is not the one of the lock file', () => {
  const integrity = 'sha512-AAAA'
  expect(() => checkIntegrity(Buffer.from('x'), integrity, 'node')).toThrow('lock file')
})
