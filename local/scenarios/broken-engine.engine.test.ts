import { createHash, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askDocker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import { tarOf } from '../../functions/core/tar/make.ts'
import { enrolInProcess, untilHostStatus } from '../harness/agent.ts'
import { untilRunEnded } from '../harness/backup-run.ts'
import { brokenEngine, failureModes, hanging } from '../harness/broken-engine.ts'
import { type SweepWorld, sweep, sweepRequests } from '../harness/engine-sweep.ts'
import { freePort } from '../harness/free-port.ts'
import { paced } from '../harness/pace.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { rowsNamed, rowsOfRing } from '../harness/rings.ts'
import { api, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'

const engine = await brokenEngine()
const place = newPlace({
  DOCKER_HOST: engine.address,
  SERVICE_AGENT_PORT: String(await freePort()),
})
const name = `broken${randomBytes(3).toString('hex')}`
const found = `${name}found`
const compose = 'services: {a: {image: "busybox:latest", command: sleep 3600, init: true}}'

let running: Running
let token: string
let remote: Awaited<ReturnType<typeof enrolInProcess>>
let agent = new AbortController()

const post = async (path: string, body: object = {}) => {
  const { status, json } = await api(running, 'POST', path, { token, body })
  expect(json?.error ?? '').toBe('')
  expect(status).toBeLessThan(300)
  return json
}

/** Starts a container of a project as docker compose would. */
const runProject = () =>
  askDocker(
    ...['run', '-d', '--init', '--stop-timeout', '0', '--name', `${found}-a-1`],
    ...Object.entries({
      project: found,
      service: 'a',
      oneoff: 'False',
      version: '2.40.0',
      'container-number': '1',
      'config-hash': 'a'.repeat(64),
      'project.working_dir': `${place.directory}/stacks/${found}`,
      'project.config_files': `${place.directory}/stacks/${found}/compose.yaml`,
    }).flatMap(([key, value]) => ['--label', `com.docker.compose.${key}=${value}`]),
    ...['busybox:latest', 'sleep', '3600'],
  )

async function beginAdoption() {
  const entry = { path: 'compose.yaml', content: Buffer.from(compose), mode: 0o644 }
  const bundle = gzipSync(await tarOf([entry]))
  const { adoption_id: id } = await post('/stacks/adopt', { name: found, size: bundle.length })
  const body = { data: bundle.toString('base64') }
  await api(running, 'PUT', `/stacks/adopt/${id}/parts/0`, { token, body })
  return { adoption: id, sha256: createHash('sha256').update(bundle).digest('hex') }
}

/** Backs up the volume, which is restored later. */
async function backUp() {
  const body = {
    name: 'kept',
    sources: [{ kind: 'volume', name }],
    target: { kind: 'local', path: 'kept' },
  }
  const { id: job } = await post('/backup-jobs', body)
  const { id: run } = await post(`/backup-jobs/${job}/run`)
  expect(await untilRunEnded(running, token, run)).toMatchObject({ status: 'succeeded' })
  return { job, run }
}

let shared: Record<string, string>
/** Returns the placeholder values for requests about one host. */
const worldOf = (host: string, hostName: string): SweepWorld => ({
  running,
  token,
  names: {
    ...shared,
    host,
    hostName,
    own: `${name}-${hostName}`,
    stack: host === 'local' ? name : `${name}-${hostName}`,
    // Only the local host has an adoption.
    adoption: host === 'local' ? present(shared.adoption) : 'none',
  },
})

/** Creates the stacks for the requests about a host. Those of the local host are deployed. */
async function makeStacks({ names }: SweepWorld): Promise<void> {
  const own = sweepRequests.filter(({ path }) => path.includes('{own}'))
  // One after another: all at once they would exceed the time limit for reading compose files.
  for (const one of own) {
    const stack = `${names.own}-${one.own}`
    await post('/stacks', { name: stack, host: names.host, compose })
    if (one.isDeployed && names.host === 'local') await post(`/stacks/${stack}/deploy`)
  }
  if (names.stack !== name) await post('/stacks', { name: names.stack, host: names.host, compose })
}

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  await askDocker('volume', 'create', name)
  await post('/stacks', { name, compose })
  expect(await post(`/stacks/${name}/deploy`)).toMatchObject({ error: null })
  await runProject()
  const container = await askDocker('inspect', '--format', '{{.Id}}', `${name}-a-1`)
  const image = 'busybox:latest'
  const backup = await backUp()
  const adoption = await beginAdoption()
  shared = { container, image, volume: name, project: found, ...backup, ...adoption }
  remote = await enrolInProcess(place, running, token, 'remote')
})

afterAll(async () => {
  agent.abort()
  engine.choose()
  await place.remove()
  await engine.close()
  await removeFromEngine(name)
})

/** Returns the samples of `container_stacks_unhandled_errors_total`, by kind. */
async function unhandled(): Promise<Record<string, string>> {
  const headers = { Authorization: `Bearer ${token}` }
  const text = await (await fetch(`${running.url}/api/v1/metrics`, { headers })).text()
  const samples = text.matchAll(/^container_stacks_unhandled_errors_total\{kind="(\w+)"\} (\S+)$/gm)
  return Object.fromEntries([...samples].map(([, kind, count]) => [kind, count]))
}

/**
 * Sends every request about a host. All responses must be proper, and the service must work
 * afterwards.
 */
async function expectUnharmed(world: SweepWorld, isHanging = false): Promise<void> {
  expect(await sweep(world, isHanging)).toEqual([])
  engine.choose()
  expect((await api(running, 'GET', '/health')).status).toBe(200)
  expect(await unhandled()).toEqual({ rejection: '0', exception: '0' })
  expect(running.child.exitCode).toBeNull()
}

async function connectAgent(): Promise<void> {
  agent = new AbortController()
  engine.choose()
  remote.run(engine.transport, agent.signal).catch(() => {})
  await untilHostStatus(running, token, remote.id, 'online')
}

/**
 * Faults that differ in kind: no connection, no end, half an answer, a refusal, no JSON, and JSON
 * without values, of another shape and with hostile texts. The others are of one of these kinds.
 */
const kinds = [
  'closes each connection at once',
  hanging,
  'disconnects in the middle of an answer',
  'refuses with status 500',
  'answers garbage',
  'answers null for every member and in every list',
  'answers objects for lists and lists for objects',
  'answers control characters in every text',
]
const faults = rowsNamed([...failureModes.keys()], kinds, (way) => way)

describe('an Engine that', () => {
  beforeAll(() => makeStacks(worldOf('local', 'local')))

  test.each(faults)('%s', async (way) => {
    engine.choose(way)
    await expectUnharmed(worldOf('local', 'local'), way === hanging)
  })
})

describe('an Engine behind an agent that', () => {
  beforeAll(async () => {
    await connectAgent()
    await makeStacks(worldOf(remote.id, 'remote'))
  })

  const ways = ['closes each connection at once', 'disconnects in the middle of an answer']

  test.each(rowsOfRing(ways, (way) => way.startsWith('disconnects')))('%s', async (way) => {
    engine.choose(way)
    await expectUnharmed(worldOf(remote.id, 'remote'))
  })
})

test('a host whose agent disconnects during responses', async () => {
  engine.choose(hanging)
  const swept = expectUnharmed(worldOf(remote.id, 'remote'))
  await expect.poll(() => engine.asked, { timeout: paced(60_000) }).toBeGreaterThan(10)
  agent.abort()
  await swept
})

test('a host whose agent never connected', async () => {
  const { host } = await post('/hosts', { name: 'never' })
  const world = worldOf(host.id, 'never')
  await makeStacks(world)
  await expectUnharmed(world)
})

test('a host that was revoked', async () => {
  const { id } = await enrolInProcess(place, running, token, 'revoked')
  const world = worldOf(id, 'revoked')
  await makeStacks(world)
  await api(running, 'DELETE', `/hosts/${id}`, { token })
  await expectUnharmed(world)
})
