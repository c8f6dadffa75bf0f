import { afterAll, expect, test } from 'vitest'
import { imageRegistry } from '../../adapters/registry/read.ts'
import { docker } from '../../adapters/testing/docker.ts'
import { present } from '../../adapters/testing/present.ts'
import createJob from '../../functions/backup-jobs/create.ts'
import create from '../../functions/stacks/create.ts'
import deploy from '../../functions/stacks/deploy.ts'
import undo from '../../functions/stacks/undo.ts'
import setPolicy from '../../functions/stacks/update-policy/update.ts'
import apply from '../../functions/updates/apply.ts'
import look from '../../functions/updates/look.ts'
import { call } from '../harness/call.ts'
import { loopbackDialer } from '../harness/outbound.ts'
import { realEngineWorld } from '../harness/real-engine-world.ts'
import { type Registry, startRegistry } from '../harness/registry.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { publishScript } from '../harness/script-image.ts'
import { until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

// A real Engine updates from a real registry. Only the clock of the service is the test's.
const world = realEngineWorld()
const ports = { ...world.ports, imageRegistry: imageRegistry(loopbackDialer()) }
const prefix = unique('take')
const minute = 60_000
const registries: Registry[] = []

afterAll(async () => {
  await removeFromEngine(prefix)
  for (const { address } of registries) {
    const ids = docker('images', '--quiet', '--no-trunc', `${address}/team/app`).split('\n')
    docker('rmi', '--force', ...new Set(ids.filter(Boolean)))
  }
  await Promise.all([world.close(), ...registries.map((one) => one.close())])
})

const about = (name: string) => ({ ports, as: 'admin' as const, path: { name } })
const stackOf = async (name: string) => present(await ports.stacks.find(name))
const inspect = (name: string, format: string) => docker('inspect', '--format', format, name)

/** Returns the image and settings of a container, without what each container has of its own. */
function settingsOf(name: string) {
  const [{ Image, Config, HostConfig }] = JSON.parse(docker('inspect', name))
  const { 'com.docker.compose.replace': _, ...Labels } = Config.Labels
  return { Image, Config: { ...Config, Hostname: null, Labels }, HostConfig }
}

/** A stack that runs an image of a registry, by a policy that takes newer ones at once. */
async function given(service: string, others = '', start = 'exec sleep 3600') {
  const registry = await startRegistry()
  const name = `${prefix}s${registries.push(registry)}`
  const addresses = registries.map(({ address }) => address)
  await ports.settings.save({ 'registry.allow': addresses })
  const reference = `${registry.address}/team/app:1`
  const image = `image: "${reference}", command: [sh, /start], init: true`
  const compose = `services:\n  web: {${image}, ${service}}\n${others}`
  const before = await publishScript(registry, start)
  const made = await call(create, { ...about(name), body: { name, compose } })
  expect(made.status, made.text).toBe(201)
  const { json } = await call(deploy, { ...about(name), body: {} })
  expect(json, JSON.stringify(json)).toMatchObject({ status: 'succeeded' })
  const body = { mode: 'apply', minimum_age_hours: 0 }
  expect((await call(setPolicy, { ...about(name), body })).status).toBe(200)
  return { name, registry, before, web: `${name}-web-1` }
}

/** Lets the service find what is newer, and take it. */
async function update() {
  for (const wait of [0, 6 * minute, 7 * 60 * minute, 6 * minute]) {
    ports.clock.advance(wait)
    await look.with(ports)()
  }
  await step()
}

async function step(after = 0) {
  ports.clock.advance(after)
  await apply.with(ports)()
  await ports.background.settled()
}

test('takes a newer image, and with it a service that shares its network', async () => {
  const side = '  vpn: {image: "busybox:latest", command: sleep 3600, init: true, restart: always, '
  const { name, registry, web } = await given(
    'restart: always',
    `${side}network_mode: "service:web"}\n`,
  )
  const two = await publishScript(registry, 'sleep 0; exec sleep 3600')
  await update()
  expect((await stackOf(name)).last).toMatchObject({ status: 'succeeded', cause: 'update' })
  const digests = inspect(inspect(web, '{{.Image}}'), '{{.RepoDigests}}')
  expect(digests).toContain(two.digest)
  const id = inspect(web, '{{.Id}}')
  expect(inspect(`${name}-vpn-1`, '{{.HostConfig.NetworkMode}}')).toBe(`container:${id}`)
  await step()
  await step(61_000)
  expect((await stackOf(name)).update).toMatchObject({ outcome: 'good' })
  const again = await call(deploy, { ...about(name), body: {} })
  expect(again.json).toMatchObject({ status: 'succeeded', steps: [], warnings: [] })
})

const healthcheck = 'healthcheck: {test: [CMD, test, "!", -e, /bad], interval: 1s, retries: 1}'

test.each([
  ['ends with an error', '', 'exit 3', 'it ended with 3'],
  ['is restarted again and again', 'restart: always', 'exit 0', /^it was restarted [2-9] times$/],
  ['is not healthy', healthcheck, 'touch /bad; exec sleep 3600', 'its health check fails'],
])('goes back, with the registry away, from an image that %s', async (_, service, bad, reason) => {
  const { name, registry, before, web } = await given(service)
  const was = settingsOf(web)
  const { digest } = await publishScript(registry, bad)
  await update()
  await registry.pause()
  const outcome = async () => {
    await step()
    return (await stackOf(name)).update?.outcome
  }
  await until(outcome, (known) => known === 'bad')
  await step()
  await step()
  const { update: last, heldBack } = await stackOf(name)
  expect(last, JSON.stringify(last)).toMatchObject({ rollback: { state: 'done', attempts: 1 } })
  expect(heldBack).toMatchObject([{ digest, service: 'web' }])
  expect(heldBack?.[0]?.reason).toMatch(reason)
  expect(settingsOf(web)).toEqual(was)
  expect(inspect(inspect(web, '{{.Image}}'), '{{.RepoDigests}}')).toContain(before.digest)
  await update()
  expect(settingsOf(web)).toEqual(was)
})

/**
 * A store that migrates its data at its start: the first version does not start with later data.
 */
const store = `
mkdir -p /data/orders; cd /data
[ -e format ] || { echo 1 >format; for one in 1 2 3; do echo "order $one" >orders/$one; done; }
[ "$(cat format)" = 1 ] || exit 9
exec sleep 3600`
const migrate = `
cd /data; echo 2 >format
for one in orders/*; do echo migrated >>$one; done
rm orders/1; echo new >orders/4
`

/** Returns the digests, modes and owners of all files of a volume. */
const dataOf = (volume: string) =>
  docker(
    ...['run', '--rm', '--volume', `${volume}:/data`, 'busybox:latest', 'sh', '-c'],
    'cd /data; find . | sort | while read -r one; do stat -c "%n %a %u" $one; done; md5sum format orders/*',
  )
const keptOf = (name: string) =>
  docker('volume', 'ls', '--quiet', '--filter', `name=${name}_data_before_`).split('\n')

/** A store whose policy has a backup job as its checkpoint. */
async function givenStore() {
  const found = await given(
    'volumes: ["data:/data"], restart: always',
    'volumes: {data: {}}\n',
    store,
  )
  const { name, web } = found
  await until(
    async () => docker('exec', web, 'ls', '/data/orders'),
    (orders) => orders.includes('3'),
  )
  const sources = [{ kind: 'stack', name }]
  const target = { kind: 'local', path: name }
  const made = await call(createJob, { ports, as: 'admin', body: { name, sources, target } })
  expect(made.status, made.text).toBe(201)
  const body = { mode: 'apply', minimum_age_hours: 0, checkpoint: made.json.id }
  expect((await call(setPolicy, { ...about(name), body })).status).toBe(200)
  return { ...found, data: dataOf(`${name}_data`), was: settingsOf(web) }
}

test('a bad image goes back with the data that it migrated', async () => {
  const { name, registry, web, data, was } = await givenStore()
  await publishScript(registry, `${migrate}exit 3`)
  await update()
  await step()
  await registry.pause()
  const outcome = async () => {
    await step()
    return (await stackOf(name)).update?.rollback?.state
  }
  await until(outcome, (state) => state === 'done')
  expect(dataOf(`${name}_data`)).toBe(data)
  expect(settingsOf(web)).toEqual(was)
  expect(inspect(web, '{{.State.Status}}')).toBe('running')
  const [kept] = keptOf(name)
  expect(
    docker('run', '--rm', '--volume', `${kept}:/data`, 'busybox:latest', 'cat', '/data/format'),
  ).toBe('2')
})

test('a person takes a good update back, with the data from before and the registry away', async () => {
  const { name, registry, web, data, was } = await givenStore()
  await publishScript(registry, `${migrate}exec sleep 3600`)
  await update()
  await step()
  await step()
  await step(61_000)
  expect((await stackOf(name)).update).toMatchObject({ outcome: 'good' })
  const migrated = dataOf(`${name}_data`)
  expect(migrated).not.toBe(data)
  await registry.pause()
  const { json } = await call(undo, { ...about(name), query: { wait: 'true' } })
  expect(json, JSON.stringify(json)).toMatchObject({ status: 'succeeded', error: null })
  expect(dataOf(`${name}_data`)).toBe(data)
  expect(settingsOf(web)).toEqual(was)
  expect(keptOf(name).map(dataOf)).toEqual([migrated])
  await step()
  expect((await stackOf(name)).update).toMatchObject({ rollback: { state: 'done' } })
  await update()
  await step()
  expect(settingsOf(web)).toEqual(was)
})
