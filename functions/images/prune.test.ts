import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenHost, world } from '../../local/harness/world.ts'
import { conflict } from '../core/errors.ts'
import list from './list.ts'
import prune from './prune.ts'

test('200: what was removed and what that brought, and the list is without it at once', async () => {
  const { ports, engine } = world()
  engine.state.unnamed.add('sha256:old')
  const ids = async () =>
    (await call(list, { ports, as: 'operator' })).json.map((one: any) => one.id)
  expect(await ids()).toContain('sha256:old')
  const pruned = await call(prune, { ports, as: 'operator' })
  expect(pruned.json).toEqual({ deleted: ['sha256:old'], reclaimed_bytes: 1024 })
  expect(await ids()).not.toContain('sha256:old')
  const again = await call(prune, { ports, as: 'operator' })
  expect(again.json).toEqual({ deleted: [], reclaimed_bytes: 0 })
})

test('400: on all hosts', async () => {
  const { ports } = world()
  expect((await call(prune, { ports, as: 'operator', query: { host: 'all' } })).status).toBe(400)
})

test('401 and 403: nobody, a viewer, and a host outside the scope', async () => {
  const here = world()
  const { ports } = here
  await givenHost(here, 'far', { tags: ['lab'] })
  expect((await call(prune, { ports })).status).toBe(401)
  expect((await call(prune, { ports, as: 'viewer' })).status).toBe(403)
  const as = { username: 'ada', role: 'operator', scopeTags: ['lab'] }
  expect((await call(prune, { ports, as, query: { host: 'local' } })).status).toBe(403)
})

test('404: no such host', async () => {
  const { ports } = world()
  expect((await call(prune, { ports, as: 'operator', query: { host: 'mars' } })).status).toBe(404)
})

test('409: another prune goes on', async () => {
  const { ports, engine } = world()
  const pruneImages = async () => {
    throw conflict('a prune operation is already running')
  }
  ports.engines.byHost.set('local', { ...engine, pruneImages })
  expect((await call(prune, { ports, as: 'operator' })).status).toBe(409)
})
