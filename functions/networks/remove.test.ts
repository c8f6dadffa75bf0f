import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenHost, givenStack, world } from '../../local/harness/world.ts'
import list from './list.ts'
import remove from './remove.ts'

/** A stack that runs in `shop_default`, and the networks `lan` and `bridge`, of no stack. */
async function withNetworks() {
  const here = world()
  await givenStack(here)
  for (const name of ['lan', 'bridge'])
    here.engine.state.networks.set(name, { id: `${name}1`, name, labels: {} })
  here.engine.state.touch()
  const ask = (id: string, as: TestCaller = 'admin', query = {}) =>
    call(remove, { ports: here.ports, as, path: { id }, query })
  const listed = async () =>
    (await call(list, { ports: here.ports, as: 'operator' })).json.map((one: Json) => one.name)
  return { ...here, ask, listed }
}

test('204: removes a network by id or name', async () => {
  const { ask, listed, engine } = await withNetworks()
  expect((await ask('lan1')).status).toBe(204)
  expect(await listed()).not.toContain('lan')
  engine.state.networks.set('lan', { id: 'lan2', name: 'lan', labels: {} })
  engine.state.touch()
  expect((await ask('lan')).status).toBe(204)
  expect(await listed()).not.toContain('lan')
})

test('403: of no stack without stacks:privileged, or of one that the caller may not deploy', async () => {
  const here = await withNetworks()
  const lan = await here.ask('lan1', 'operator')
  expect([lan.status, lan.json.error]).toEqual([403, expect.stringContaining('no stack created')])
  for (const one of here.engine.state.containers.values()) one.networks = {}
  const cleaner = await givenRole(here, ['networks:read', 'networks:delete', 'stacks:read'])
  const { status, json } = await here.ask('shop_default', cleaner)
  expect([status, json.error]).toEqual([403, expect.stringContaining('belongs to another stack')])
  expect((await here.ask('shop_default', 'operator')).status).toBe(204)
  expect(await here.listed()).toEqual(['bridge', 'lan'])
})

test('409: keeps one that containers use, or that every Engine has', async () => {
  const { ask, listed, engine } = await withNetworks()
  const { id } = present(engine.state.networks.get('shop_default'))
  for (const named of [id, 'bridge']) expect((await ask(named)).status, named).toBe(409)
  expect(await listed()).toEqual(['bridge', 'lan', 'shop_default'])
})

test('401 and 403: no credential, a viewer, or a host out of scope', async () => {
  const here = await withNetworks()
  await givenHost(here, 'far', { tags: ['lab'] })
  const asked = { ports: here.ports, path: { id: 'lan1' } }
  expect((await call(remove, asked)).status).toBe(401)
  expect((await call(remove, { ...asked, as: 'viewer' })).status).toBe(403)
  const as = { username: 'ada', role: 'admin', scopeTags: ['lab'] }
  expect((await call(remove, { ...asked, as, query: { host: 'local' } })).status).toBe(403)
  expect(await here.listed()).toContain('lan')
})

test('400 and 404: an invalid or unknown id, all hosts', async () => {
  const { ask } = await withNetworks()
  expect((await ask('../x')).status).toBe(400)
  expect((await ask('none')).status).toBe(404)
  expect((await ask('lan1', 'admin', { host: 'all' })).status).toBe(400)
  expect((await ask('lan1', 'admin', { host: 'none' })).status).toBe(404)
})
