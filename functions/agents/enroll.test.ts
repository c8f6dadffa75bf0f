import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { present } from '../../local/harness/present.ts'
import { world } from '../../local/harness/world.ts'
import { fromAuditRow } from '../core/events/from-audit-row.ts'
import { admitAgent } from '../core/hosts/admit.ts'
import create from '../hosts/create.ts'
import get from '../hosts/get.ts'
import remove from '../hosts/remove.ts'
import enroll from './enroll.ts'

const csr = '-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----'

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
  const { default: again } = await import('../hosts/enrolment/create.ts')
  const { json } = await call(again, { ports, as: 'admin', path: { id } })
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
  const { default: again } = await import('../hosts/enrolment/create.ts')
  const { json } = await call(again, { ports, as: 'admin', path: { id } })
  await call(enroll, { ports, body: { ...body, token: json.token } })
  expect(await admitAgent({ hostId: id, serial }, ports)).toEqual({
    refused: 'the certificate was replaced',
  })
})
