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
  await send('PUT', '/settings', { 'registry.allow': [registry.address] })
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

const textAt = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(2000) })
    .then((response) => response.text())
    .catch(() => undefined)

/** Returns the last deployment that the service began, once it has ended. */
const ended = (name: string): Promise<Json> =>
  until(
    async () => (await get(`/stacks/${name}/deployments`))[0],
    (last) => last.cause === 'update' && last.status !== 'running',
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
  expect(await ended(name)).toMatchObject({ status: 'succeeded' })
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
