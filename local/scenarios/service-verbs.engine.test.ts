import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askDocker, docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { dockerCompose } from '../conformance/running/their-up.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { api, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'
import { changesOf, type ObservedProject, observeProject } from './observed-project.ts'

// The same files as two projects: one is docker compose's, the other one is a stack. Each step does
// the same to both, and must do the same on the Engine.

const theirs = unique('verbs-t')
const ours = unique('verbs-o')
const place = newPlace()
const folder = join(mkdtempSync(join(tmpdir(), 'container-stacks-verbs-')), theirs)
let running: Running
let token: string

/** A command that exits with 3 on SIGTERM. */
const obeys = (wait = '') => `["sh", "-c", "trap '${wait}exit 3' TERM; sleep 3600 & wait"]`
/** Has to be killed. */
const ignores = `["sh", "-c", "trap '' TERM; sleep 3600"]`

const compose = `services:
  db:
    image: busybox:latest
    command: ${obeys()}
    volumes: ["data:/data", "/own"]
    networks: [default, back]
  web:
    image: busybox:latest
    command: ${ignores}
    stop_grace_period: 1s
    depends_on: {db: {condition: service_started, restart: true}}
  slow:
    image: busybox:latest
    command: ${obeys('sleep 2; ')}
    stop_grace_period: 20s
  job:
    image: busybox:latest
    command: ["true"]
  app:
    build: ./app
    command: ${obeys()}
    pull_policy: missing
  debug:
    image: busybox:latest
    command: ${obeys()}
    profiles: [tools, more]
    depends_on: [db]
  probe:
    image: busybox:latest
    command: ${obeys()}
    profiles: [tools]
volumes: {data: {}}
networks: {back: {}}
`
const files: Record<string, string> = { 'app/Dockerfile': 'FROM busybox\nRUN echo one > /made\n' }

let before: Record<'ours' | 'theirs', ObservedProject>

/** Writes a file of both projects. */
async function write(path: string, content: string): Promise<void> {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
  const body = path === 'compose.yaml' ? { compose: content } : { files: { [path]: { content } } }
  const { status, json } = await api(running, 'PUT', `/stacks/${ours}`, { token, body })
  expect(status, JSON.stringify(json)).toBe(200)
}

async function request(path: string, body?: object) {
  const { status, json } = await api(running, 'POST', `/stacks/${ours}${path}`, { token, body })
  const ended = json.steps ? json.status === 'succeeded' : status < 300
  return { isDone: ended, text: JSON.stringify(json) }
}

/** Arguments of `docker compose`, and the request to the service that does the same. */
type Done = [line: string, path: string, body?: object]

/** Does the same to both projects, and compares what that changed. Returns the changes of ours. */
async function same([line, path, body]: Done) {
  const [their, our] = await Promise.all([
    dockerCompose(folder, ...line.split(' ')),
    request(path, body),
  ])
  expect([line, our.isDone, our.text]).toEqual([line, their.code === 0, our.text])
  return compared(line)
}

async function compared(line: string) {
  const now = { ours: await settled(ours), theirs: await settled(theirs) }
  const their = changesOf(theirs, before.theirs, now.theirs)
  const our = changesOf(ours, before.ours, now.ours)
  before = now
  expect({ line, ...our }).toEqual({ line, ...inOurWay(line, their) })
  return our
}

/** `up` starts jobs again that ended well. A deploy does not, on purpose. */
function inOurWay(line: string, changes: ReturnType<typeof changesOf>) {
  const { containers } = changes
  const job = containers['job-1']
  if (job === undefined || !/\bup\b/.test(line)) return changes
  return { ...changes, containers: { ...containers, 'job-1': job.replace(', started again', '') } }
}

/** A job ends soon after it was started. */
async function settled(project: string): Promise<ObservedProject> {
  const job = `${project}-job-1`
  await askDocker('wait', job).catch((error: Error) => {
    if (!error.message.includes('No such container')) throw error
  })
  return observeProject(project)
}

/** Removes the containers of services, as a user of the host could. */
async function removed(...services: string[]): Promise<void> {
  for (const project of [ours, theirs]) {
    await askDocker('rm', '-f', ...services.map((service) => `${project}-${service}-1`))
  }
  await compared('rm -f')
}

const states = async () => {
  const { json } = await api(running, 'GET', `/stacks/${ours}/status`, { token })
  return Object.fromEntries(json.map((row: Json) => [row.service, row.service_state]))
}
const status = async () => (await api(running, 'GET', `/stacks/${ours}`, { token })).json.status
const plan = async () =>
  (await api(running, 'POST', `/stacks/${ours}/plan`, { token, body: {} })).json

beforeAll(async () => {
  mkdirSync(folder)
  for (const [path, text] of Object.entries({ ...files, 'compose.yaml': compose })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  const sent = Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path, { content }]),
  )
  const body = { name: ours, compose, files: sent }
  expect((await api(running, 'POST', '/stacks', { token, body })).status).toBe(201)
  before = { ours: await observeProject(ours), theirs: await observeProject(theirs) }
  await same(['up -d', '/deploy', {}])
})

afterAll(async () => {
  await removeFromEngine(ours)
  await removeFromEngine(theirs)
  for (const name of [ours, theirs]) {
    const images = docker('images', '-q', '--filter', `reference=${name}-*`).split('\n')
    const left = images.filter(Boolean)
    if (left.length > 0) docker('rmi', '-f', ...new Set(left))
  }
  await place.remove()
  rmSync(dirname(folder), { recursive: true, force: true })
})

test('stop and start of services, with their own time to stop', async () => {
  await same(['stop web', '/services/web/stop'])
  expect(await states()).toMatchObject({ web: 'stopped', db: 'running', job: 'completed' })
  await same(['start web', '/services/web/start'])
  await same(['stop slow', '/services/slow/stop'])
  await same(['start slow', '/services/slow/start'])
  await same(['stop -t 0 slow', '/services/slow/stop', { timeout_seconds: 0 }])
  await same(['start slow', '/services/slow/start'])
  await same(['stop db', '/services/db/stop'])
  await same(['start web', '/services/web/start'])
  expect(await states()).toMatchObject({ web: 'running', db: 'running', slow: 'running' })
  expect(await plan()).toEqual([])
})

test('restart of services, of those that depend on them, and of jobs', async () => {
  await same(['restart web', '/services/web/restart'])
  await same(['restart db', '/services/db/restart'])
  await same(['restart -t 0 slow', '/services/slow/restart', { timeout_seconds: 0 }])
  await same(['restart job', '/services/job/restart'])
  await same(['stop db', '/services/db/stop'])
  await same(['restart db', '/services/db/restart'])
  expect(await states()).toMatchObject({ web: 'running', db: 'running', job: 'completed' })
})

test('pause and unpause, and what other operations do to a paused service', async () => {
  await same(['pause db', '/services/db/pause'])
  expect(await states()).toMatchObject({ db: 'paused', web: 'running' })
  await same(['unpause db', '/services/db/unpause'])
  await same(['pause slow', '/services/slow/pause'])
  await same(['stop -t 1 slow', '/services/slow/stop', { timeout_seconds: 1 }])
  expect(await states()).toMatchObject({ slow: 'stopped' })
  await same(['start slow', '/services/slow/start'])
  await same(['pause slow', '/services/slow/pause'])
  await same(['restart -t 1 slow', '/services/slow/restart', { timeout_seconds: 1 }])
  expect(await states()).toMatchObject({ slow: 'running' })
})

test('scale up, down and to nothing, until the next deploy', async () => {
  await same(['scale web=3', '/services/web/scale', { replicas: 3 }])
  expect(await states()).toMatchObject({ web: 'running' })
  await same(['scale web=2', '/services/web/scale', { replicas: 2 }])
  await same(['scale slow=0', '/services/slow/scale', { replicas: 0 }])
  expect(await states()).toMatchObject({ web: 'running', slow: 'inactive' })
  await same(['up -d web', '/deploy', { services: ['web'] }])
  expect(await states()).toMatchObject({ web: 'running', slow: 'inactive' })
  await same(['up -d', '/deploy', {}])
  expect(await states()).toMatchObject({ web: 'running', slow: 'running' })
})

test('a deploy of some services, with those that they depend on and without', async () => {
  await removed('db', 'slow', 'web')
  await same(['up -d --no-deps web', '/deploy', { services: ['web'], dependencies: false }])
  // This docker compose recreates a container for other dependencies, newer ones do not.
  await removed('web')
  await same(['up -d web', '/deploy', { services: ['web'] }])
  await same(['up -d --force-recreate web', '/deploy', { services: ['web'], force_recreate: true }])
  await same(['up -d', '/deploy', {}])
  expect(await states()).toMatchObject({ web: 'running', slow: 'running', db: 'running' })
})

test('a deploy with profiles, and of a service whose profiles are not active', async () => {
  await same(['up -d probe', '/deploy', { services: ['probe'] }])
  await same(['up -d debug', '/deploy', { services: ['debug'] }])
  expect(await states()).toMatchObject({ probe: 'running', debug: 'running' })
  await same(['stop probe', '/services/probe/stop'])
  await same(['--profile more up -d', '/deploy', { profiles: ['more'] }])
  await same(['--profile tools up -d', '/deploy', { profiles: ['tools'] }])
  expect(await states()).toMatchObject({ probe: 'running', debug: 'running' })
})

test('a build leaves containers as they are until the next deploy', async () => {
  await write('app/Dockerfile', 'FROM busybox\nRUN echo two > /made\n')
  await same(['build app', '/services/app/build'])
  await same(['up -d app', '/deploy', { services: ['app'], profiles: [] }])
  for (const project of [ours, theirs]) {
    expect(docker('exec', `${project}-app-1`, 'cat', '/made')).toBe('two')
  }
})

test('down removes containers and networks, then volumes and images too', async () => {
  await same(['--profile * down', '/down', {}])
  expect([await status(), await states()]).toMatchObject(['not_deployed', { web: 'inactive' }])
  await same(['up -d', '/deploy', { profiles: [] }])
  await same([
    '--profile * down -v --rmi local -t 1',
    '/down',
    { volumes: true, images: 'local', timeout_seconds: 1 },
  ])
  await same(['down -v', '/down', { volumes: true }])
  await same(['up -d', '/deploy', {}])
  expect(await status()).toBe('running')
})
