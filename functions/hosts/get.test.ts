import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenHost, world } from '../../local/harness/world.ts'
import get from './get.ts'

test('200: returns the local host', async () => {
  const { ports } = world()
  const { status, json } = await call(get, { ports, as: 'viewer', path: { id: 'local' } })
  expect([status, json.kind, json.status]).toEqual([200, 'local', 'online'])
})

test('200: warns for two minutes of another machine with the certificate of the host', async () => {
  const here = world()
  await givenHost(here, 'far')
  const { hostConnections, clock } = here.ports
  const facts = { version: '1.0.0', hostname: 'far' }
  const connectedAt = clock.now()
  await hostConnections.claim({ hostId: 'far', processId: 'p', address: 'a:1', facts, connectedAt })
  const warning = async () =>
    (await call(get, { ports: here.ports, as: 'viewer', path: { id: 'far' } })).json.warning
  expect(await warning()).toBeNull()
  const duplicate = { hostname: 'copy', address: '192.0.2.7', at: clock.now() }
  await hostConnections.noteDuplicate('far', duplicate)
  expect(await warning()).toBe(
    'another machine uses the certificate of this host (copy, 192.0.2.7): enrol one of them again',
  )
  clock.advance(121_000)
  expect(await warning()).toBeNull()
})

test('403: a host out of scope', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  const as = { username: 'ada', role: 'viewer', scopeTags: ['lab'] }
  const { status } = await call(get, { ports: here.ports, as, path: { id: 'local' } })
  expect(status).toBe(403)
})

test('404: unknown host', async () => {
  const { ports } = world()
  expect((await call(get, { ports, as: 'viewer', path: { id: 'mars' } })).status).toBe(404)
})
