import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StoreClient, storeClient } from '../../adapters/dynamo/client.ts'
import { table } from '../../adapters/dynamo/table.ts'
import { askDocker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { tarOf } from '../../functions/core/tar/make.ts'
import { dockerGate } from '../harness/docker-gate.ts'
import { testAddress } from '../harness/dynamo-table.ts'
import { freePort } from '../harness/free-port.ts'
import { paced } from '../harness/pace.ts'
import { publishImage, type Registry, startRegistry } from '../harness/registry.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import {
  api,
  logIn,
  newPlace,
  type Running,
  setUpAdmin,
  startIn,
  until,
} from '../harness/service.ts'
import { unique } from '../harness/unique.ts'
import { busyboxArchive } from '../setup/busybox.mjs'

/**
 * The service is killed in an update of a VPN whose network two other services share.
 * Each start of the service begins with a pass of its schedules, so that no step is waited for.
 */
const gate = await dockerGate()
const place = newPlace({ SERVICE_OUTBOUND_ALLOW: '127.0.0.1', DOCKER_HOST: gate.address })
const prefix = unique('vpn')
let client: StoreClient
let running: Running
let token: string
let registry: Registry
let count = 0

const get = async (path: string): Promise<Json> => (await api(running, 'GET', path, { token })).json

async function send(method: string, path: string, body?: object): Promise<Json> {
  const { status, json } = await api(running, method, path, { token, body })
  expect(status, JSON.stringify(json)).toBeLessThan(300)
  return json
}

/** Kills the service. */
async function kill() {
  running.child.kill('SIGKILL')
  await running.ended
}

/**
 * Starts the service again. What the killed one held is free at once, and not only after 10 s.
 *
 * @param before a request at which the Engine hangs; resolves with the service then
 */
async function startAgain(stack: string, before?: RegExp) {
  gate.release()
  const reached = before && gate.hangAt(before)
  const leases = ['apply-updates', 'updates', `stack:${stack}`]
  await table(client).removeMany(leases.map((lease) => ({ pk: `lease#${lease}`, sk: '-' })))
  running = await startIn(place)
  token = await logIn(place, running)
  await reached
}

beforeAll(async () => {
  client = storeClient(testAddress(place.env.SERVICE_DYNAMODB_TABLE))
  registry = await startRegistry()
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  const settings = { 'registry.allow': [registry.address], 'metrics.sample_seconds': 1 }
  await send('PUT', '/settings', settings)
})

afterAll(async () => {
  await place.remove()
  await removeFromEngine(prefix)
  const all = await askDocker('images', '--format', '{{.Repository}} {{.ID}}')
  const own = all.split('\n').filter((line) => line.startsWith(`${registry.address}/`))
  const ids = new Set(own.map((line) => line.split(' ')[1] ?? ''))
  if (ids.size > 0) await askDocker('rmi', '--force', ...ids)
  await registry.close()
  await gate.close()
  client.close()
})

/** A stack, and the ports of this machine at which the two services are reached by the VPN. */
interface Vpn {
  name: string
  image: string
  ports: readonly [number, number]
}

/** Pushes a VPN that does what the script says. Returns its digest. */
async function publish(image: string, script: string): Promise<string> {
  const file = await tarOf([{ path: 'start', content: Buffer.from(script), mode: 0o755 }])
  const layer = Buffer.concat([busyboxArchive().subarray(0, -1024), file])
  return (await publishImage(registry, image, '1', layer)).digest
}

const server = (word: string, port: number) =>
  'image: "busybox:latest", init: true, restart: always, working_dir: /tmp, ' +
  `command: sh -c 'echo ${word} > index.html; exec httpd -f -p ${port}'`

async function givenVpn(): Promise<Vpn> {
  count += 1
  const name = `${prefix}-${count}x`
  const image = `team/vpn${count}`
  const ports = [await freePort(), await freePort()] as const
  await publish(image, 'exec sleep 3600')
  const compose = `services:
  vpn:
    image: "${registry.address}/${image}:1"
    command: [sh, /start]
    init: true
    restart: always
    ports: ["127.0.0.1:${ports[0]}:8001", "127.0.0.1:${ports[1]}:8002"]
  one: {${server('one', 8001)}, network_mode: "service:vpn"}
  two: {${server('two', 8002)}, network_mode: "service:vpn"}
  outside: {${server('outside', 80)}}
`
  await send('POST', '/stacks', { name, compose })
  expect(await send('POST', `/stacks/${name}/deploy`, {})).toMatchObject({ status: 'succeeded' })
  await send('PUT', `/stacks/${name}/update-policy`, { mode: 'apply', minimum_age_hours: 0 })
  await usersReach({ name, image, ports })
  return { name, image, ports }
}

const inspect = (container: string, format: string) =>
  askDocker('inspect', '--format', format, container)

/** Checks that both services are reached by the VPN, and reach another container by it. */
async function usersReach({ name, ports }: Vpn) {
  const vpn = await inspect(`${name}-vpn-1`, '{{.Id}}')
  const address = await inspect(
    `${name}-outside-1`,
    '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}',
  )
  for (const [index, rider] of ['one', 'two'].entries()) {
    const container = `${name}-${rider}-1`
    expect(await inspect(container, '{{.HostConfig.NetworkMode}}')).toBe(`container:${vpn}`)
    await until(
      () => textAt(`http://127.0.0.1:${ports[index]}/`),
      (text) => text === `${rider}\n`,
      15,
    )
    const fetching = `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 5 ${address} 80`
    expect(await askDocker('exec', container, 'sh', '-c', fetching)).toMatch(/\noutside$/)
  }
}

/** Returns what all containers run with, without what each container has of its own. */
async function settingsOf(name: string) {
  const services = ['vpn', 'one', 'two', 'outside']
  const containers = services.map((service) => `${name}-${service}-1`)
  const all = JSON.parse(await askDocker('inspect', ...containers)) as Json[]
  return all.map(({ Image, Config, HostConfig, State, RestartCount }) => {
    const { NetworkMode } = HostConfig
    const isRider = NetworkMode.startsWith('container:')
    const { 'com.docker.compose.replace': _, ...labels } = Config.Labels
    // That of a rider is also made from the ID of the VPN's container.
    if (isRider) labels['com.docker.compose.config-hash'] = ''
    return {
      image: Image,
      config: { ...Config, Hostname: '', Labels: labels },
      host: { ...HostConfig, NetworkMode: isRider ? 'container' : NetworkMode },
      state: State.Status,
      restarts: RestartCount,
    }
  })
}

const textAt = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(2000) })
    .then((response) => response.text())
    .catch(() => undefined)

/** Returns the last deployment that the service began, once it has ended. */
const ended = (name: string, cause: 'update' | 'update_rollback'): Promise<Json> =>
  until(
    async () => (await get(`/stacks/${name}/deployments`))[0],
    (last) => last.cause === cause && last.status !== 'running',
  )

/** Lets the service know of a newer image, and kills it before it records an update. */
async function killBeforeRecord({ name }: Vpn) {
  await send('POST', '/updates/check', { stack: name })
  await kill()
  await startAgain(name)
  await until(
    async () => (await get(`/updates?stack=${name}`)).find((one: Json) => one.service === 'vpn'),
    ({ state }) => state === 'newer',
  )
  await kill()
}

const timeout = paced(180_000)

test('a good VPN stays, with kills before its start and while it is watched', {
  timeout,
}, async () => {
  const vpn = await givenVpn()
  const { name, image } = vpn
  const digest = await publish(image, 'sleep 0; exec sleep 3600')
  await killBeforeRecord(vpn)
  await startAgain(name, /POST \S*-vpn-1\/start/)
  await kill()
  await startAgain(name)
  expect(await ended(name, 'update')).toMatchObject({ status: 'succeeded' })
  const digests = async () =>
    inspect(await inspect(`${name}-vpn-1`, '{{.Image}}'), '{{.RepoDigests}}')
  expect(await digests()).toContain(digest)
  await usersReach(vpn)
  // While it is watched.
  await kill()
  await startAgain(name)
  await until(
    async () => (await get(`/updates?stack=${name}`)).find((one: Json) => one.service === 'vpn'),
    ({ next }) => next.kind === 'watched',
  )
  await usersReach(vpn)
  expect(await digests()).toContain(digest)
  expect(await get(`/stacks/${name}/held-back-images`)).toEqual([])
  await send('DELETE', `/stacks/${name}?volumes=true`)
})

/** The last update of a stack, once it has come this far. */
const lastUpdate = async (name: string, isReached: (update: Json) => boolean): Promise<Json> => {
  const { last_update } = await until(
    () => get(`/stacks/${name}`),
    (stack) => stack.last_update !== null && isReached(stack.last_update),
    120,
  )
  return last_update
}

test('a VPN in a crash loop goes back, with two kills in the rollback', { timeout }, async () => {
  const vpn = await givenVpn()
  const { name, image } = vpn
  const before = await settingsOf(name)
  const rule = { name: 'bad update', metric: 'update_failed', match: { stacks: [name] } }
  await send('POST', '/alert-rules', { ...rule, for_seconds: 0, cooldown_seconds: 0 })
  const digest = await publish(image, 'exit 3')
  await killBeforeRecord(vpn)
  await startAgain(name)
  await lastUpdate(name, ({ outcome }) => outcome === 'bad')
  await kill()
  await startAgain(name, /POST \S*\/containers\/create\?name=\S*-vpn-1/)
  await kill()
  await startAgain(name, /POST \S*-vpn-1\/start/)
  await kill()
  await startAgain(name)
  expect(await ended(name, 'update_rollback')).toMatchObject({ status: 'succeeded' })
  await lastUpdate(name, ({ rollback }) => rollback?.state === 'done')
  await usersReach(vpn)
  expect(await settingsOf(name)).toEqual(before)
  expect(await get(`/stacks/${name}/held-back-images`)).toMatchObject([{ digest, service: 'vpn' }])
  const reports = await get('/audit?action=stacks.images.roll-back')
  const own = reports.filter(({ subject }: Json) => subject.name === name)
  expect(own).toMatchObject([{ outcome: 'succeeded', values: { service: 'vpn' } }])
  const alerts = async () => {
    const events: Json[] = await get('/alert-events')
    return events.filter((one) => one.rule_name === 'bad update').map(({ state }) => state)
  }
  await until(alerts, (states) => states.length > 0)
  expect(await alerts()).toEqual(['firing'])
  await send('DELETE', `/stacks/${name}?volumes=true`)
})
