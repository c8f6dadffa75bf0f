/** Timing: meanwhile an Engine with cgroups of version 1 has no figures of other containers. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import { commandsUnder } from '../../local/documents/shell-blocks.ts'
import { debianSystem } from '../../local/harness/debian-system.ts'
import { makeCertificate } from '../../local/harness/git/https-server.ts'
import { paced } from '../../local/harness/pace.ts'
import { until } from '../../local/harness/service.ts'
import { unique } from '../../local/harness/unique.ts'
import { ownArchitecture } from '../contents/architectures.mjs'
import { project, root } from '../contents/places.mjs'

/** systemd of Debian 12 in a container of an Engine with cgroups of version 1. */
const hierarchy = '/sys/fs/cgroup/systemd'

const name = unique('systemd')
const folder = mkdtempSync(join(tmpdir(), `${name}-`))
const architecture = present(ownArchitecture())
const newer = '99.0.0'
const password = 'systemd-test-password'
const service = 'container-stacks'
const agent = 'container-stacks-agent'

function build(...words: string[]): void {
  const program = join(root, 'packaging/deb/build.mjs')
  const all = ['--out', folder, '--arch', architecture, '--fast', ...words]
  execFileSync(process.execPath, [program, ...all], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Runs a shell script in the container. Returns what it printed, errors included. */
function inside(script: string, input = ''): { status: number | null; text: string } {
  const words = ['exec', '--interactive', name, 'sh', '-c', `(${script}) 2>&1`]
  const { status, stdout } = spawnSync('docker', words, { encoding: 'utf8', input })
  return { status, text: stdout.trim() }
}

/** Runs the commands of a page in the directory of the packages. Each must succeed. */
const follow = (commands: string | undefined) => must(`set -e; cd /debs\n${present(commands)}`)

/** Runs a script that must succeed. */
function must(script: string, input?: string): string {
  const { status, text } = inside(script, input)
  if (status !== 0) throw new Error(`${script}: ${text}`)
  return text
}

const install = (unit: string, version: string = project.version) =>
  must(`dpkg --force-unsafe-io --install /debs/${unit}_${version}_${architecture}.deb`)
const property = (unit: string, key: string) => must(`systemctl show -P ${key} ${unit}`)
const health = 'fetch("http://localhost:8080/api/v1/health").then((answer) => answer.text())'
/** A program that lists one branch, as a web server with the files of a repository does. */
const gitServer = `
  const { readFileSync } = require('node:fs')
  const [key, cert] = ['/debs/key.pem', '/debs/cert.pem'].map((path) => readFileSync(path))
  require('node:https').createServer({ key, cert }, ({ url }, answer) => {
    if (url.includes('/info/refs')) answer.end('1'.repeat(40) + '\\trefs/heads/main\\n')
    else answer.writeHead(404).end()
  }).listen(8444, '127.0.0.1')`
/** Waits until the service answers. Returns the answer. */
const answer = () =>
  until(
    async () => inside(`/usr/lib/${service}/bin/node --print --eval '${health}.then(console.log)'`),
    ({ text }) => text.includes('"status":"ok"'),
  )

beforeAll(() => {
  if (!existsSync(hierarchy)) return
  const system = debianSystem(['systemd', 'systemd-sysv', 'dbus', 'git'])
  docker('import', system, name)
  build()
  build('--version', newer, '--only', service)
  const volumes = ['--volume', `${hierarchy}:${hierarchy}`, '--volume', `${folder}:/debs:ro`]
  const memory = ['/run', '/run/lock', '/tmp'].flatMap((path) => ['--tmpfs', path])
  // Not privileged: systemd could change settings of this machine then.
  const options = ['seccomp=unconfined', 'apparmor=unconfined'].flatMap((one) => [
    '--security-opt',
    one,
  ])
  const rights = ['--cap-add', 'SYS_ADMIN', '--env', 'container=docker', ...options]
  docker('run', '--detach', '--name', name, ...rights, ...memory, ...volumes, name, '/sbin/init')
}, paced(300_000))

afterAll(() => {
  if (existsSync(hierarchy)) {
    docker('rm', '--force', '--volumes', name)
    docker('rmi', name)
  }
  rmSync(folder, { recursive: true, force: true })
})

describe.runIf(existsSync(hierarchy))('under systemd', () => {
  test('an installation starts the service, as a user of its own without rights', async () => {
    const state = async () => inside('systemctl is-system-running').text
    await until(state, (text) => text === 'running')
    for (const one of [service, agent, 'container-stacks-cli']) install(one)
    await answer()
    expect(property(service, 'ActiveState')).toBe('active')
    const status = must(`cat /proc/${property(service, 'MainPID')}/status`)
    expect(status).not.toMatch(/^Uid:\s+0\b/m)
    expect(status).toMatch(/^CapEff:\s+0+$/m)
    expect(status).toMatch(/^Seccomp:\s+2$/m)
    const [, secret] = /\n.*?: {3}(\S+)$/m.exec(must(`journalctl -u ${service}`)) ?? []
    must('cli setup http://localhost:8080', `${present(secret)}\n${password}\n`)
  })

  test('the agent waits for its certificate, and starts with it', async () => {
    expect(property(agent, 'ActiveState')).toBe('inactive')
    expect(property(agent, 'ConditionResult')).toBe('no')
    must(`echo "SERVICE_BASE_URL=http://$(hostname -i):8080" >> /etc/${service}/service.env`)
    must(`systemctl restart ${service}`)
    await answer()
    const enrol = () => {
      const printed = must('cli hosts enrol here --replace')
      must(present(/^ *(AGENT_TOKEN=\S+ container-stacks-agent enrol.*)$/m.exec(printed)?.[1]))
    }
    const connections = async () =>
      must(`journalctl -u ${agent}`).match(/ connected to /g)?.length ?? 0
    enrol()
    await until(connections, (count) => count === 1)
    // The second certificate, too, belongs to the user of the agent.
    enrol()
    await until(connections, (count) => count === 2)
    expect(property(agent, 'ActiveState')).toBe('active')
  })

  test('a killed service starts again', async () => {
    const before = property(service, 'MainPID')
    must(`kill -KILL ${before}`)
    const pid = async () => property(service, 'MainPID')
    await until(pid, (text) => text !== '0' && text !== before)
    await answer()
    expect(must('cli whoami')).toContain('admin')
  })

  test('a source of git is read within the limits of the unit', async () => {
    const { key, cert } = makeCertificate()
    writeFileSync(join(folder, 'key.pem'), key)
    writeFileSync(join(folder, 'cert.pem'), cert)
    writeFileSync(join(folder, 'git-server.cjs'), gitServer)
    const started = `/usr/lib/${service}/bin/node /debs/git-server.cjs < /dev/null > /dev/null 2>&1`
    const server = must(`${started} & echo $!`)
    must(`echo SERVICE_OUTBOUND_ALLOW=127.0.0.1:8444 >> /etc/${service}/service.env`)
    must(`systemctl restart ${service}`)
    await answer()
    const url = 'https://127.0.0.1:8444/estate.git'
    must(`cli sources create estate ${url} --ref main --every off --ca /debs/cert.pem`)
    const look = async () => must('cli sources look estate')
    const shown = await until(look, (text) => !text.includes('unreachable'))
    expect(shown).toContain('1'.repeat(40))
    must('cli sources delete estate --yes')
    must(`kill ${server}`)
  })

  test('a stop ends it in order', () => {
    must(`systemctl stop ${service}`)
    expect(property(service, 'Result')).toBe('success')
    expect(property(service, 'ExecMainStatus')).toBe('0')
  })

  test('what root restores belongs to the service, which starts with it', async () => {
    const data = `/var/lib/${service}`
    const programs = `export SERVICE_STORE=sqlite SERVICE_DATA_DIR=${data}; container-stacks`
    must(`${programs}-store export /root/out`)
    must(`mv ${data}/sqlite /root/newer`)
    must(`${programs}-restore --copy /root/out`)
    must(`systemctl start ${service}`)
    await answer()
    expect(must(`find ${data}/ -user root`)).toBe('')
    must(`cli login http://localhost:8080 --user admin`, `${password}\n`)
    expect(must('cli hosts list')).toContain('here')
  })

  test('an upgrade restarts it with the same data', async () => {
    const before = property(service, 'MainPID')
    install(service, newer)
    await answer()
    expect(property(service, 'MainPID')).not.toBe(before)
    expect(must('cli whoami')).toContain('admin')
  })

  test('the commands of docs/install-debian.md copy the data directory and put it back', async () => {
    const [copy, putBack] = commandsUnder('docs/install-debian.md', 'Copy the data')
    follow(copy)
    await answer()
    must(`systemctl stop ${service} && find /var/lib/${service}/ -mindepth 1 -delete`)
    follow(putBack)
    await answer()
    expect(must('cli whoami')).toContain('admin')
    must('rm -r /root/container-stacks-data')
  })

  test('the commands of docs/install-debian.md go back to an older package with all data', async () => {
    const time = '2026-01-01T00-00-00-000Z'
    const data = `/var/lib/${service}`
    // A copy of the store, as a version leaves it that converts the store.
    const variables = `SERVICE_STORE=sqlite SERVICE_DATA_DIR=${data}`
    must(`systemctl stop ${service}; mkdir -p ${data}/store-copies`)
    must(`${variables} container-stacks-store export ${data}/store-copies/${time}`)
    must(`systemctl start ${service}`)
    await answer()
    must(`echo 'APT::Get::Assume-Yes "true";' > /etc/apt/apt.conf.d/99-test`)
    const keys = () => must(`cd ${data}/ && sha256sum secret-key installation`)
    const before = keys()
    const values = { older: project.version, time }
    const [copy, replace, putBack, restore, ...more] = commandsUnder(
      'docs/install-debian.md',
      'Go back',
      values,
    ).map((block) => block.replaceAll('_amd64.deb', `_${architecture}.deb`))
    expect(more).toEqual([])
    expect(follow(copy)).toBe('complete')
    follow(replace)
    follow(putBack)
    follow(restore)
    await answer()
    expect(must(`dpkg-query --show --showformat='\${Version}' ${service}`)).toBe(project.version)
    expect(keys()).toBe(before)
    expect(must(`find ${data}/ -user root`)).toBe('')
    expect(must(`cat /etc/${service}/service.env`)).toContain('SERVICE_BASE_URL=http://')
    must('cli login http://localhost:8080 --user admin', `${password}\n`)
    expect(must('cli hosts list')).toContain('here')
  })

  test('a purge stops it and leaves nothing', () => {
    must(`dpkg --purge ${service} ${agent}`)
    for (const unit of [service, agent]) {
      expect(property(unit, 'ActiveState')).toBe('inactive')
      expect(property(unit, 'LoadState')).toBe('not-found')
    }
    expect(must('ps -e -o args= 2> /dev/null || cat /proc/[0-9]*/cmdline')).not.toContain(service)
    expect(must("find /etc /usr /var/lib -name 'container-stacks*' ! -path '*cli*'")).toBe('')
  })
})
