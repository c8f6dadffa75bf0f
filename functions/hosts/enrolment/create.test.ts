import { expect, test } from 'vitest'
import { hostNameOf } from '../../../adapters/testing/memory/hosts.ts'
import { call } from '../../../local/harness/call.ts'
import { givenRole } from '../../../local/harness/roles.ts'
import { givenHost, type World, world } from '../../../local/harness/world.ts'
import enroll from '../../agents/enroll.ts'
import createHost from '../create.ts'
import get from '../get.ts'
import remove from '../remove.ts'
import enrolment from './create.ts'

test('201: enrols a revoked host again', async () => {
  const here = world()
  await givenHost(here, 'far')
  const { ports } = here
  const path = { id: 'far' }
  await call(remove, { ports, as: 'admin', path })
  const { status, json } = await call(enrolment, { ports, as: 'admin', path })
  expect([status, json.token]).toEqual([201, expect.stringMatching(/^cse_/)])
  expect((await call(get, { ports, as: 'admin', path })).json.status).toBe('pending')
})

test('400: the local host has no agent', async () => {
  const { ports } = world()
  const { status } = await call(enrolment, { ports, as: 'admin', path: { id: 'local' } })
  expect(status).toBe(400)
})

test('403: an operator, or an admin of some hosts', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  const path = { id: 'far' }
  const as = { username: 'lars', role: 'admin', scopeTags: ['lab'] }
  for (const caller of ['operator', as] as const) {
    expect((await call(enrolment, { ports: here.ports, as: caller, path })).status).toBe(403)
  }
})

const csr = '-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----'
const enrol = async ({ ports }: World, token: string) =>
  (await call(enroll, { ports, body: { token, csr, agent_version: '1', hostname: 'nas' } })).status

/** Says that the agent of a host is connected. */
async function connect({ ports: { hostConnections, clock } }: World, hostId: string) {
  const facts = { version: '1.0.0', hostname: hostId }
  const at = { processId: 'p', address: 'a:1', connectedAt: clock.now() }
  await hostConnections.beat('p', clock.now() + 60_000)
  await hostConnections.claim({ hostId, ...at, facts })
}

test('403: hosts:manage alone replaces no agent that was ever enrolled', async () => {
  const here = world()
  const { ports } = here
  const as = await givenRole(here, ['hosts:manage'])
  const made = await call(createHost, { ports, as, body: { name: 'nas' } })
  const path = { id: made.json.host.id }
  const again = async (replace = 'false') =>
    (await call(enrolment, { ports, as, path, query: { replace } })).status
  expect(await again()).toBe(201)
  const { json } = await call(enrolment, { ports, as: 'admin', path })
  expect(await enrol(here, json.token)).toBe(201)
  for (const replace of ['false', 'true']) expect(await again(replace)).toBe(403)
  expect((await call(remove, { ports, as, path })).status).toBe(204)
  expect(await again()).toBe(403)
  await call(enrolment, { ports, as: 'admin', path })
  expect((await call(get, { ports, as: 'admin', path })).json.status).toBe('pending')
  expect(await again()).toBe(403)
})

test('409: the agent is connected, and `replace` is not given', async () => {
  const here = world()
  const { ports } = here
  await givenHost(here, 'far')
  await connect(here, 'far')
  const path = { id: 'far' }
  const again = (query: Record<string, string>) =>
    call(enrolment, { ports, as: 'admin', path, query })
  const { status, json } = await again({})
  const reason = 'its agent is connected, and a new one would take its place'
  const error = `host ${hostNameOf('far')}: ${reason}: revoke the host, or use \`replace\``
  expect([status, json.error]).toEqual([409, error])
  expect((await ports.hosts.find('far'))?.agent?.enrolment).toBeUndefined()
  expect((await again({ replace: 'true' })).status).toBe(201)
  ports.clock.advance(61_000)
  expect((await again({})).status).toBe(201)
})

test('201: enrols a host again at once after it was revoked', async () => {
  const here = world()
  const { ports } = here
  await givenHost(here, 'far')
  await connect(here, 'far')
  const path = { id: 'far' }
  await call(remove, { ports, as: 'admin', path })
  const { status, json } = await call(enrolment, { ports, as: 'admin', path })
  expect(status).toBe(201)
  expect(await enrol(here, json.token)).toBe(201)
})
