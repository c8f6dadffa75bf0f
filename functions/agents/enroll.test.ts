import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { world } from '../../local/harness/world.ts'
import { fromAuditRow } from '../core/events/from-audit-row.ts'
import { admitAgent } from '../core/hosts/admit.ts'
import create from '../hosts/create.ts'
import renew from '../hosts/enrolment/create.ts'
import get from '../hosts/get.ts'
import remove from '../hosts/remove.ts'
import enroll from './enroll.ts'

const csr = '-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----'

type Offered = Awaited<ReturnType<typeof offered>>

async function offered() {
  const { ports } = world()
  const { json } = await call(create, { ports, as: 'admin', body: { name: 'nas' } })
  const { token } = json.enrolment
  const body = { token, csr, agent_version: '1.0.0', hostname: 'nas.local' }
  return { ports, body, id: json.host.id as string }
}

test('201: issues a certificate to the agent and marks the host as offline', async () => {
  const { ports, body, id } = await offered()
  const { status, json } = await call(enroll, { ports, body })
  expect([status, json]).toEqual([
    201,
    {
      host_id: id,
      certificate: `certificate 2 of ${id}`,
      ca: 'authority',
      endpoint: 'stacks.example.org:8443',
    },
  ])
  expect((await call(get, { ports, as: 'viewer', path: { id } })).json.status).toBe('offline')
})

test('401: accepts a token once, even from thirty simultaneous requests', async () => {
  const { ports, body } = await offered()
  const answers = await Promise.all(
    Array.from({ length: 30 }, async () => (await call(enroll, { ports, body })).status),
  )
  expect(answers.filter((status) => status === 201)).toHaveLength(1)
  expect(answers.filter((status) => status === 401)).toHaveLength(29)
})

/** Returns the body of an enrolment with a newer token of the same host. */
async function offeredAgain({ ports, body, id }: Offered) {
  const { json } = await call(renew, { ports, as: 'admin', path: { id } })
  return { ...body, token: json.token as string }
}

/** Makes the record of a host what an earlier version would have written. */
async function withoutEnrolment({ ports, id }: Offered) {
  const host = present(await ports.hosts.find(id))
  const { enrolment: _, ...agent } = present(host.agent)
  await ports.hosts.replace({ ...host, agent })
}

test('401: a newer token ends the earlier ones, also after its use', async () => {
  const here = await offered()
  const { ports } = here
  const newer = await offeredAgain(here)
  expect((await call(enroll, { ports, body: here.body })).status).toBe(401)
  expect((await call(enroll, { ports, body: newer })).status).toBe(201)
  const unused = await offeredAgain(here)
  const newest = await offeredAgain(here)
  expect((await call(enroll, { ports, body: newest })).status).toBe(201)
  expect((await call(enroll, { ports, body: unused })).status).toBe(401)
})

test('401: a newer token that is created during the enrolment ends this one', async () => {
  const here = await offered()
  const { ports, body } = here
  const { replace } = ports.hosts
  ports.hosts.replace = async (host) => {
    ports.hosts.replace = replace
    await offeredAgain(here)
    return replace(host)
  }
  expect((await call(enroll, { ports, body })).status).toBe(401)
})

test('401: to enrol a revoked host again does not revive its tokens', async () => {
  const here = await offered()
  const { ports, body, id } = here
  await call(enroll, { ports, body })
  const unused = await offeredAgain(here)
  await call(remove, { ports, as: 'admin', path: { id } })
  const newer = await offeredAgain(here)
  expect((await call(enroll, { ports, body: unused })).status).toBe(401)
  expect((await call(enroll, { ports, body: newer })).status).toBe(201)
})

test('201: tokens from before the upgrade are valid until one of them is used', async () => {
  const here = await offered()
  const { ports, body } = here
  const second = await offeredAgain(here)
  await withoutEnrolment(here)
  const answers = await Promise.all(
    [body, second].map(async (one) => (await call(enroll, { ports, body: one })).status),
  )
  expect(answers.sort()).toEqual([201, 401])
})

test('401: a newer token replaces those from before the upgrade', async () => {
  const here = await offered()
  const { ports, body } = here
  await withoutEnrolment(here)
  const newer = await offeredAgain(here)
  expect((await call(enroll, { ports, body })).status).toBe(401)
  expect((await call(enroll, { ports, body: newer })).status).toBe(201)
})

test('409: a host that was revoked after the upgrade refuses tokens from before it', async () => {
  const here = await offered()
  const { ports, body, id } = here
  await call(enroll, { ports, body })
  const second = await offeredAgain(here)
  await withoutEnrolment(here)
  await call(remove, { ports, as: 'admin', path: { id } })
  expect((await call(enroll, { ports, body: second })).status).toBe(409)
  await offeredAgain(here)
  expect((await call(enroll, { ports, body: second })).status).toBe(401)
})

test('401: rejects an expired, unknown or malformed token', async () => {
  const { ports, body } = await offered()
  ports.clock.advance(30 * 60 * 1000)
  const unknown = `cse_${'a'.repeat(43)}.${'ab'.repeat(32)}`
  for (const token of [body.token, unknown, 'x', 'cst_aaaa']) {
    expect((await call(enroll, { ports, body: { ...body, token } })).status).toBe(401)
  }
})

test('400: an invalid certificate request does not use up the token', async () => {
  const { ports, body } = await offered()
  expect((await call(enroll, { ports, body: { ...body, csr: 'x' } })).status).toBe(400)
  expect((await call(enroll, { ports, body })).status).toBe(201)
})

test('409: the host was revoked after the token was issued', async () => {
  const { ports, body, id } = await offered()
  await call(enroll, { ports, body })
  const { json } = await call(renew, { ports, as: 'admin', path: { id } })
  await call(remove, { ports, as: 'admin', path: { id } })
  const { status, headers } = await call(enroll, { ports, body: { ...body, token: json.token } })
  expect([status, headers['x-error-reason']]).toEqual([409, 'host-revoked'])
})

test('404: the host was deleted before it enrolled', async () => {
  const { ports, body, id } = await offered()
  await call(remove, { ports, as: 'admin', path: { id } })
  expect((await call(enroll, { ports, body })).status).toBe(404)
})

test('201: the audit row and its event name the host', async () => {
  const { ports, body, id } = await offered()
  await call(enroll, { ports, body, route: 'POST /agents/enroll' })
  const [row] = (await ports.audit.list({ limit: 1 })).rows
  expect(row).toMatchObject({
    action: 'agents.enroll',
    hosts: [id],
    subject: { kind: 'hosts', id, name: 'nas' },
  })
  expect(fromAuditRow(present(row))).toMatchObject({
    subject: { kind: 'host', id, name: 'nas' },
  })
})

test('201: enrolling again invalidates the previous certificate', async () => {
  const { ports, body, id } = await offered()
  await call(enroll, { ports, body })
  const serial = present((await ports.hosts.find(id))?.agent?.serial)
  expect(await admitAgent({ hostId: id, serial }, ports)).toHaveProperty('host')
  const { json } = await call(renew, { ports, as: 'admin', path: { id } })
  await call(enroll, { ports, body: { ...body, token: json.token } })
  expect(await admitAgent({ hostId: id, serial }, ports)).toEqual({
    refused: 'the certificate was replaced',
  })
})
