import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { boundToParent } from '../../local/harness/bound-process.ts'
import { debianSystem } from '../../local/harness/debian-system.ts'
import { freePort } from '../../local/harness/free-port.ts'
import { paced } from '../../local/harness/pace.ts'
import { until } from '../../local/harness/service.ts'
import { architectures, ownArchitecture } from '../contents/architectures.mjs'
import { project, root as top } from '../contents/places.mjs'

const folder = mkdtempSync(join(tmpdir(), 'container-stacks-deb-test-'))
/** A clean system, in which nothing is installed that Debian does not need. */
const root = join(folder, 'root')
const architecture = present(ownArchitecture())
const older = project.version
const newer = '99.0.0'
const names = ['container-stacks', 'container-stacks-agent', 'container-stacks-cli'] as const
type Name = (typeof names)[number]

/** Runs a program in the clean system, with an environment of its own. */
function inside(...words: string[]) {
  const env = {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C',
    DEBIAN_FRONTEND: 'noninteractive',
  }
  const { status, stdout, stderr } = spawnSync('chroot', [root, ...words], {
    env,
    encoding: 'utf8',
  })
  return { status, text: `${stdout}${stderr}` }
}
const deb = (name: Name, version = older) => `/root/${name}_${version}_${architecture}.deb`
const install = (...debs: string[]) => inside('dpkg', '--force-unsafe-io', '--install', ...debs)
const installed = (name: Name) =>
  inside('dpkg-query', '--show', '--showformat=${Status} ${Version}', name).text
const isThere = (path: string) => existsSync(join(root, path))
const file = (path: string) => readFileSync(join(root, path), 'utf8')

function build(...words: string[]): void {
  const program = join(top, 'packaging/deb/build.mjs')
  const all = ['--out', join(root, 'root'), '--arch', architecture, '--fast', ...words]
  execFileSync(process.execPath, [program, ...all], { stdio: ['ignore', 'ignore', 'inherit'] })
}

beforeAll(() => {
  mkdirSync(root)
  execFileSync('tar', ['--extract', '--file', debianSystem(), '--directory', root])
  build()
  build('--version', newer, '--only', 'container-stacks')
}, paced(300_000))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('installs into a clean system, with its own Node.js and enabled units', () => {
  const { status, text } = install(...names.map((name) => deb(name)))
  expect(status, text).toBe(0)
  for (const name of names) {
    expect(installed(name)).toBe(`install ok installed ${older}`)
    const node = inside(`/usr/lib/${name}/bin/node`, '--print', 'process.version')
    expect(node.text).toMatch(/^v24\./)
  }
  const wanted = '/etc/systemd/system/multi-user.target.wants'
  expect(inside('ls', wanted).text).toContain(
    'container-stacks-agent.service\ncontainer-stacks.service',
  )
  expect(inside('getent', 'group', 'docker').status).toBe(0)
  expect(inside('stat', '--format=%a', '/etc/container-stacks/service.env').text).toBe('600\n')
})

test('the service recommends git, and is installed without it', () => {
  const shown = inside('dpkg-query', '--show', '--showformat=${Recommends}', 'container-stacks')
  expect(shown.text).toContain('git (>= 1:2.39)')
  expect(isThere('usr/bin/git')).toBe(false)
  expect(inside('prlimit', '--core=0', '--', 'true')).toEqual({ status: 0, text: '' })
})

test('the commands run', () => {
  expect(inside('cli', '--version').text).toContain(older)
  expect(inside('container-stacks-cli', 'help').status).toBe(0)
  expect(inside('container-stacks-agent', '--help').text).toContain('agent enrol')
  const env = ['env', 'SERVICE_STORE=sqlite', 'SERVICE_DATA_DIR=/var/lib/container-stacks']
  expect(inside(...env, 'container-stacks', '--check').text).toBe('ok\n')
  expect(inside('container-stacks', '--help').text).toContain('--check')
  expect(inside(...env, 'container-stacks-store', '--help').text).toContain('export')
  expect(inside('container-stacks-reset-password', '--help').text).toContain('second factor')
})

test('the client has its manual pages', () => {
  const page = (name: string) => inside('zcat', `/usr/share/man/man1/${name}.1.gz`).text
  expect(page('cli')).toContain('Container Stacks')
  expect(page('container-stacks-cli')).toBe(page('cli'))
  expect(page('cli-stacks')).toContain('cli stacks list')
})

test('the service answers, and keeps its records in its directory', async () => {
  const port = await freePort()
  const env = {
    PATH: process.env.PATH,
    SERVICE_STORE: 'sqlite',
    SERVICE_DATA_DIR: '/var/lib/container-stacks',
    SERVICE_PORT: String(port),
    SERVICE_AGENT_PORT: '0',
  }
  const service = spawn(...boundToParent('chroot', [root, 'container-stacks']), {
    env,
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => service.once('exit', resolve))
  try {
    const ask = () => fetch(`http://127.0.0.1:${port}/api/v1/health`).catch(() => undefined)
    await until(ask, (answer) => answer?.status === 200)
  } finally {
    service.kill('SIGTERM')
  }
  expect(await ended).toBe(0)
  expect(isThere('var/lib/container-stacks/sqlite/store.db')).toBe(true)
})

test('the units are valid and let the programs do little', () => {
  for (const unit of ['container-stacks.service', 'container-stacks-agent.service']) {
    const words = ['security', '--offline=true', `--root=${root}`, '--threshold=30', unit]
    const checked = spawnSync('systemd-analyze', words, { encoding: 'utf8' })
    expect(checked.status, checked.stdout + checked.stderr).toBe(0)
    expect(checked.stderr).toBe('')
  }
})

test('an upgrade keeps the configuration and the data', () => {
  appendFileSync(join(root, 'etc/container-stacks/service.env'), 'SERVICE_PORT=9090\n')
  const { status, text } = install(deb('container-stacks', newer))
  expect(status, text).toBe(0)
  expect(installed('container-stacks')).toBe(`install ok installed ${newer}`)
  expect(file('etc/container-stacks/service.env')).toContain('SERVICE_PORT=9090')
  expect(isThere('var/lib/container-stacks/sqlite/store.db')).toBe(true)
})

test('a downgrade is refused, and the newer version stays', () => {
  const { status, text } = install(deb('container-stacks'))
  expect(status).not.toBe(0)
  expect(text).toContain(`the data are of version ${newer}`)
  expect(text).toContain('apt-get purge deletes both, with all keys')
  expect(installed('container-stacks')).toBe(`install ok installed ${newer}`)
  expect(inside('container-stacks', '--help').text).not.toContain('not found')
})

test('a removal keeps configuration and data, which an older version does not take over', () => {
  expect(inside('dpkg', '--remove', ...names).status).toBe(0)
  expect(isThere('usr/bin/container-stacks')).toBe(false)
  expect(isThere('usr/bin/cli')).toBe(false)
  expect(isThere('var/lib/container-stacks/sqlite/store.db')).toBe(true)
  expect(file('etc/container-stacks/service.env')).toContain('SERVICE_PORT=9090')
  expect(install(deb('container-stacks')).status).not.toBe(0)
})

test('a purge removes all of it', () => {
  const { status, text } = inside('dpkg', '--purge', 'container-stacks', 'container-stacks-agent')
  expect(status, text).toBe(0)
  expect(inside('find', '/etc', '/usr', '/var/lib', '-name', 'container-stacks*').text).toBe('')
  expect(install(deb('container-stacks')).status).toBe(0)
})

test('two runs give the same bytes', () => {
  const before = readFileSync(join(root, deb('container-stacks-cli')))
  build('--only', 'container-stacks-cli')
  expect(readFileSync(join(root, deb('container-stacks-cli'))).equals(before)).toBe(true)
})

test('the packages of another architecture have its programs', () => {
  const other = architecture === 'amd64' ? 'arm64' : 'amd64'
  build('--arch', other, '--only', 'container-stacks-agent')
  const path = join(root, 'root', `container-stacks-agent_${older}_${other}.deb`)
  const control = execFileSync('dpkg-deb', ['--field', path, 'Architecture'], { encoding: 'utf8' })
  expect(control.trim()).toBe(other)
  const unpacked = join(folder, other)
  execFileSync('dpkg-deb', ['--extract', path, unpacked])
  const header = readFileSync(join(unpacked, 'usr/lib/container-stacks-agent/bin/node'))
  const machines = { arm64: 0xb7, x64: 0x3e }
  expect(header.readUInt16LE(18)).toBe(machines[architectures[other].npm])
})
