import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { backupWorld, jobBody } from '../../local/harness/backups.ts'
import { call } from '../../local/harness/call.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { forgetOwners, givenStack, shop, type World, world } from '../../local/harness/world.ts'
import createJob from '../backup-jobs/create.ts'
import saveSettings from '../settings/update.ts'
import deploy from './deploy.ts'
import plan from './plan.ts'
import remove from './remove.ts'
import update from './update.ts'

const path = { name: 'shop' }
const empty = 'services: {web: {image: "busybox:latest", command: sleep 60}}'
const external = (name: string) => `services:
  web:
    image: busybox:latest
    command: sleep 60
    volumes: ["vol:/v"]
volumes: {vol: {name: ${name}, external: true}}`

const deployed = ({ ports }: Pick<World, 'ports'>, name = 'shop', as: TestCaller = 'operator') =>
  call(deploy, { ports, as, path: { name }, body: {} })

const removed = ({ ports }: World, as: TestCaller = 'operator', query = {}) =>
  call(remove, { ports, as, path, query })

const another: TestCaller = { username: 'eve', role: 'operator' }

const labels = (key: string, kind = 'volume') => ({
  'com.docker.compose.project': 'shop',
  [`com.docker.compose.${kind}`]: key,
})

/** A volume and a network of a project that was run by hand and taken down. */
function givenHandRun({ engine }: Pick<World, 'engine'>) {
  engine.state.volumes.set('shop_data', { name: 'shop_data', labels: labels('data') })
  const net = { id: 'net', name: 'shop_net', labels: labels('net', 'network') }
  engine.state.networks.set('shop_net', net)
}

const ownerOf = ({ ports }: World) =>
  ports.owners.find({ hostId: 'local', kind: 'volume', name: 'shop_data' })

/** Puts a stack of the name where a stack was deleted and left its volume. */
async function givenLeft(here: World, as: TestCaller) {
  await givenStack(here)
  here.ports.clock.advance(1000)
  expect((await removed(here, as)).status).toBe(204)
  await givenStack(here, 'shop', { deployed: false })
}

test('403: a second deploy claims nothing of a project that was run by hand', async () => {
  const here = world()
  givenHandRun(here)
  await givenStack(here, 'shop', { compose: empty, deployed: false })
  expect((await deployed(here)).json.status).toBe('succeeded')
  for (const compose of [
    shop,
    external('shop_data'),
    `${empty.slice(0, -2)}, networks: [net]}}\nnetworks: {net: {}}`,
  ]) {
    const saved = await call(update, { ports: here.ports, as: 'operator', path, body: { compose } })
    expect(saved.status).toBe(200)
    const { status, json } = await deployed(here)
    expect([status, json.error]).toEqual([403, expect.stringContaining('outside of this stack')])
  }
})

test('403: another stack uses nothing of a project whose name a stack was given', async () => {
  const here = world()
  givenHandRun(here)
  await givenStack(here, 'shop', { compose: empty, deployed: false })
  await givenStack(here, 'thief', { compose: external('shop_data'), deployed: false })
  expect((await deployed(here, 'thief')).status).toBe(403)
  await deployed(here)
  expect((await deployed(here, 'thief')).status).toBe(403)
})

test('403: no backup of a volume of a project whose name a stack was given', async () => {
  const here = await backupWorld()
  await call(remove, { ports: here.ports, as: 'admin', path, query: { volumes: 'true' } })
  givenHandRun(here)
  await givenStack(here, 'shop', { compose: empty })
  const body = { ...jobBody, sources: [{ kind: 'volume', name: 'shop_data' }] }
  expect((await call(createJob, { ports: here.ports, as: 'operator', body })).status).toBe(403)
})

test('a stack removes nothing of a project whose name it was given', async () => {
  const here = world()
  givenHandRun(here)
  await givenStack(here, 'shop', { compose: empty })
  expect((await removed(here, 'admin', { volumes: true })).status).toBe(200)
  expect([...here.engine.state.volumes.keys()]).toEqual(['shop_data'])
  expect([...here.engine.state.networks.keys()]).toEqual(['shop_net'])
})

test('a privileged deploy claims what a project that was run by hand left', async () => {
  const here = world()
  givenHandRun(here)
  await givenStack(here)
  expect(await ownerOf(here)).toMatchObject({ stack: 'shop' })
  expect((await deployed(here)).json.status).toBe('succeeded')
})

test('403: a stack does not get the volume of a deleted stack of its name', async () => {
  const here = world()
  await givenLeft(here, 'operator')
  const { status, json } = await deployed(here, 'shop', another)
  expect([status, json.error]).toEqual([
    403,
    expect.stringMatching(/volume shop_data .*earlier stack shop, which operator deleted/),
  ])
  // Deleting the new stack does not make that account the one that left the volume.
  expect((await removed(here, another, { volumes: true })).status).toBe(200)
  expect([...here.engine.state.volumes.keys()]).toEqual(['shop_data'])
  await givenStack(here, 'shop', { deployed: false })
  expect((await deployed(here, 'shop', another)).status).toBe(403)
})

test('403: a stack by another name does not get it through a stack of that name', async () => {
  const here = world()
  await givenLeft(here, 'operator')
  await givenStack(here, 'thief', { compose: external('shop_data'), deployed: false })
  expect((await deployed(here, 'thief', another)).status).toBe(403)
})

test.each(['operator', 'admin'] as const)('%s takes over what it left', async (as) => {
  const here = world()
  await givenLeft(here, as)
  expect((await deployed(here, 'shop', as)).json.status).toBe('succeeded')
  // The volume is the new stack's: others deploy it as before.
  expect((await deployed(here, 'shop', another)).json.status).toBe('succeeded')
  expect(await ownerOf(here)).not.toHaveProperty('leftBy')
})

test('a setting lets a stack use what an earlier one left, without owning it', async () => {
  const here = world()
  await givenLeft(here, 'admin')
  const body = { 'stacks.shared_volumes': ['shop_data'] }
  await call(saveSettings, { ports: here.ports, as: 'admin', body })
  expect((await deployed(here, 'shop', another)).json.status).toBe('succeeded')
  expect(await ownerOf(here)).toMatchObject({ leftBy: { name: 'admin' } })
})

test('403: does not get what a stack left that was deleted by an earlier version', async () => {
  const here = world()
  await givenStack(here)
  const { recordsOwners: _, ...stack } = present(await here.ports.stacks.find('shop'))
  await here.ports.stacks.replace(stack)
  await removed(here, 'admin')
  const owner = { hostId: 'local', kind: 'volume' as const, name: 'shop_data', stack: 'shop' }
  await here.ports.owners.replace({ ...owner, at: 1 })
  await givenStack(here, 'shop', { deployed: false })
  const { status, json } = await deployed(here)
  expect([status, json.error]).toEqual([403, expect.stringContaining('shop, which is gone')])
  expect((await deployed(here, 'shop', 'admin')).json.status).toBe('succeeded')
})

test('a stack of an earlier version goes on with what it has', async () => {
  const here = world()
  await givenStack(here)
  await forgetOwners(here)
  const owner = { hostId: 'local', kind: 'volume' as const, name: 'shop_data', stack: 'shop' }
  await here.ports.owners.claim({ ...owner, at: 1 })
  expect((await deployed(here)).json.status).toBe('succeeded')
  expect((await removed(here, 'operator', { volumes: true })).status).toBe(204)
  expect(here.engine.state.volumes.size).toBe(0)
})

test('a plan shows what a deploy would do with a volume that was left', async () => {
  const here = world()
  await givenLeft(here, 'operator')
  const planned = await call(plan, { ports: here.ports, as: another, path, body: {} })
  expect(planned.status).toBe(200)
})
