import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenHost, givenStack, world } from '../../local/harness/world.ts'
import revoke from './revoke.ts'

const path = { id: 'far' }

test('200: revokes a host, also when repeated, and keeps its stacks', async () => {
  const here = world()
  await givenHost(here, 'far')
  await givenStack(here, 'shop', { host: 'far', deployed: false })
  const { ports } = here
  for (let tries = 0; tries < 2; tries += 1) {
    const { status, json } = await call(revoke, { ports, as: 'admin', path })
    expect([status, json.id, json.status]).toEqual([200, 'far', 'revoked'])
  }
  const { agent } = present(await ports.hosts.find('far'))
  expect(agent).toMatchObject({ state: 'revoked', serial: null, nextSerial: null, enrolment: null })
  expect(await ports.stacks.find('shop')).toBeDefined()
})

test('400: the local host has no agent', async () => {
  const { ports } = world()
  const { status, json } = await call(revoke, { ports, as: 'admin', path: { id: 'local' } })
  expect([status, json.error]).toEqual([400, 'host local: the local host has no agent'])
})

test('403: an operator, or an admin of some hosts', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  const { ports } = here
  expect((await call(revoke, { ports, as: 'operator', path })).status).toBe(403)
  const as = { username: 'lars', role: 'admin', scopeTags: ['lab'] }
  expect((await call(revoke, { ports, as, path })).status).toBe(403)
  expect((await ports.hosts.find('far'))?.agent?.state).toBe('enrolled')
})
