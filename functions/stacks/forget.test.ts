import { expect, test } from 'vitest'
import { bundleOf, runAdoption } from '../../local/harness/bundle.ts'
import { call } from '../../local/harness/call.ts'
import { givenHost, givenStack, shop, type World, world } from '../../local/harness/world.ts'
import create from './create.ts'
import deploy from './deploy.ts'
import forget from './forget.ts'
import get from './get.ts'
import remove from './remove.ts'

const path = { name: 'shop' }

const ask = ({ ports }: Pick<World, 'ports'>) => ({ ports, as: 'operator' as const, path })

/** Returns what is on the host. */
const onHost = ({ engine }: World) => {
  const { containers, networks, volumes, files } = engine.state
  const started = [...containers.values()].map(({ id, startedAt }) => `${id} ${startedAt}`)
  return [started, [...networks.keys()], [...volumes.keys()], [...files.keys()]]
}

test('204: the stack leaves the service, and everything on its host stays', async () => {
  const here = world()
  await givenStack(here)
  const before = onHost(here)
  expect((await call(forget, ask(here))).status).toBe(204)
  expect(onHost(here)).toEqual(before)
  expect((await call(get, ask(here))).status).toBe(404)
  expect(await here.ports.deployments.listByStack('shop', 9)).toEqual([])
  const volume = await here.ports.owners.find({
    hostId: 'local',
    kind: 'volume',
    name: 'shop_data',
  })
  expect(volume).toMatchObject({ stack: 'shop', leftBy: { name: 'operator' } })
  expect((await call(forget, ask(here))).status).toBe(404)
})

test('204: the project can be adopted again, and is up to date then', async () => {
  const here = world()
  await givenStack(here)
  await call(forget, ask(here))
  const before = onHost(here)
  const adopted = await runAdoption(here, await bundleOf({ 'compose.yaml': shop }))
  expect([adopted.status, adopted.json.differences]).toEqual([201, []])
  expect(onHost(here)).toEqual(before)
  const deployed = await call(deploy, { ...ask(here), body: {} })
  expect(deployed.json).toMatchObject({ status: 'succeeded', steps: [] })
  expect((await call(remove, { ...ask(here), query: { volumes: 'true' } })).status).toBe(204)
  expect(here.engine.state.containers.size).toBe(0)
})

test('403: a new stack of that name does not take the containers over', async () => {
  const here = world()
  await givenStack(here)
  await call(forget, ask(here))
  const body = { name: 'shop', compose: shop }
  expect((await call(create, { ports: here.ports, as: 'operator', body })).status).toBe(201)
  expect((await call(deploy, { ...ask(here), body: {} })).status).toBe(403)
})

test('403: the files that stay are those of the account that forgot the stack', async () => {
  const here = world()
  await givenStack(here)
  await call(forget, { ...ask(here), as: 'admin' })
  const body = { name: 'shop', compose: shop }
  expect((await call(create, { ports: here.ports, as: 'operator', body })).status).toBe(403)
})

test('204: a stack whose host does not respond', async () => {
  const here = world()
  const far = await givenHost(here, 'far')
  await givenStack(here, 'shop', { host: 'far' })
  far.off()
  expect((await call(forget, ask(here))).status).toBe(204)
  expect(far.engine.state.containers.size).toBe(2)
})

test('409: while a deployment of the stack runs', async () => {
  const here = world()
  await givenStack(here)
  const { execute } = here.engine
  const meanwhile: number[] = []
  here.engine.execute = async (...given) => {
    meanwhile.push((await call(forget, ask(here))).status)
    return execute(...given)
  }
  await call(deploy, { ...ask(here), body: { force_recreate: true } })
  expect(new Set(meanwhile)).toEqual(new Set([409]))
  expect((await call(get, ask(here))).status).toBe(200)
})
