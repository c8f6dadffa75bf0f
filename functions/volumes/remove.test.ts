import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenContainer, givenHost, givenStack, world } from '../../local/harness/world.ts'
import list from './list.ts'
import remove from './remove.ts'

/** A stopped stack with the volume `shop_data`, and the volume `crate`, which no stack made. */
async function withVolumes() {
  const here = world()
  await givenStack(here)
  here.engine.state.containers.clear()
  here.engine.state.volumes.set('crate', { name: 'crate', labels: {} })
  here.engine.state.touch()
  const ask = (name: string, as: TestCaller = 'admin', query = {}) =>
    call(remove, { ports: here.ports, as, path: { name }, query })
  const listed = async () =>
    (await call(list, { ports: here.ports, as: 'operator' })).json.map((one: Json) => one.name)
  return { ...here, ask, listed }
}

test('204: an operator removes the volume of a stack, whose name stays reserved for it', async () => {
  const here = await withVolumes()
  expect((await here.ask('shop_data', 'operator')).status).toBe(204)
  expect(await here.listed()).toEqual(['crate'])
  const thing = { hostId: 'local', kind: 'volume' as const, name: 'shop_data' }
  expect(await here.ports.owners.find(thing)).toMatchObject({ stack: 'shop' })
})

test('403: a volume of no stack without stacks:privileged, which an admin has', async () => {
  const { ask, listed } = await withVolumes()
  const { status, json } = await ask('crate', 'operator')
  expect([status, json.error]).toEqual([403, expect.stringContaining('no stack created it')])
  expect(await listed()).toContain('crate')
  expect((await ask('crate')).status).toBe(204)
  expect(await listed()).not.toContain('crate')
})

test('403: a volume of a stack that the caller may not deploy', async () => {
  const here = await withVolumes()
  const cleaner = await givenRole(here, ['volumes:read', 'volumes:delete', 'stacks:read'])
  const { status, json } = await here.ask('shop_data', cleaner)
  expect([status, json.error]).toEqual([403, expect.stringContaining('belongs to another stack')])
  expect(await here.listed()).toContain('shop_data')
})

test('401 and 403: no credential, a viewer, or a host out of scope', async () => {
  const here = await withVolumes()
  await givenHost(here, 'far', { tags: ['lab'] })
  const asked = { ports: here.ports, path: { name: 'crate' } }
  expect((await call(remove, asked)).status).toBe(401)
  expect((await call(remove, { ...asked, as: 'viewer' })).status).toBe(403)
  const as = { username: 'ada', role: 'admin', scopeTags: ['lab'] }
  expect((await call(remove, { ...asked, as, query: { host: 'local' } })).status).toBe(403)
  expect(await here.listed()).toContain('crate')
})

test('409: keeps a volume that a container uses, also one that does not run', async () => {
  const here = await withVolumes()
  const hostConfig = { Binds: ['crate:/data'] }
  await givenContainer(here, 'old', { started: false, hostConfig })
  const { status, json } = await here.ask('crate')
  expect([status, json.error]).toEqual([409, expect.stringContaining('in use by old')])
  expect(await here.listed()).toContain('crate')
})

test('400 and 404: an invalid or unknown name, all hosts', async () => {
  const { ask } = await withVolumes()
  expect((await ask('../x')).status).toBe(400)
  expect((await ask('none')).status).toBe(404)
  expect((await ask('crate', 'admin', { host: 'all' })).status).toBe(400)
  expect((await ask('crate', 'admin', { host: 'none' })).status).toBe(404)
})
