import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { world } from '../../local/harness/world.ts'
import { conflict } from '../core/errors.ts'
import { fromAuditRow } from '../core/events/from-audit-row.ts'
import create from './create.ts'
import get from './get.ts'

test('201: creates a pending host with an enrolment token and the install command', async () => {
  const { ports } = world()
  const body = { name: 'nas', tags: ['home'] }
  const { status, json } = await call(create, { ports, as: 'admin', body })
  expect([status, json.host.status, json.host.tags]).toEqual([201, 'pending', ['home']])
  expect(json.host.agent).toEqual({
    version: null,
    is_outdated: false,
    upgrade: null,
    certificate_expires_at: null,
    last_seen_at: null,
  })
  const { token, command, expires_at: expiresAt } = json.enrolment
  expect(token).toMatch(/^cse_[\w-]{43}\.[0-9a-f]{64}$/)
  expect(command).toBe(
    `curl -fsSL https://stacks.example.org/api/v1/agents/install.sh | AGENT_TOKEN=${token} sh`,
  )
  expect(json.enrolment.program_command).toContain(
    `AGENT_TOKEN=${token} container-stacks-agent enrol --server https://stacks.example.org`,
  )
  expect(json.enrolment.container_command).toContain(
    `--env AGENT_SERVER=https://stacks.example.org --env AGENT_TOKEN=${token} container-stacks:`,
  )
  expect(Date.parse(expiresAt) - ports.clock.now()).toBe(30 * 60 * 1000)
  const shown = await call(get, { ports, as: 'viewer', path: { id: json.host.id } })
  expect(shown.json).toEqual(json.host)
})

test('400: invalid name or tag', async () => {
  const { ports } = world()
  for (const body of [{}, { name: '' }, { name: 'a', tags: ['-'] }, { name: '$(id)' }]) {
    expect((await call(create, { ports, as: 'admin', body })).status).toBe(400)
  }
})

test('400: a name that means something else where a host is named', async () => {
  const { ports } = world()
  for (const name of ['all', 'ALL', 'Local', '019A0000-0000-7000-8000-000000000001', 'al\u034fl']) {
    const { status, json } = await call(create, { ports, as: 'admin', body: { name } })
    expect([name, status, json.error]).toEqual([name, 400, expect.stringContaining('body.name: ')])
  }
})

test('409: a process without the authority for agents creates no host', async () => {
  const here = world()
  const fingerprint = async () => {
    throw conflict('this process has no authority for agents')
  }
  const ports = { ...here.ports, authority: { ...here.ports.authority, fingerprint } }
  const { status } = await call(create, { ports, as: 'admin', body: { name: 'nas' } })
  expect(status).toBe(409)
  expect((await ports.hosts.list()).map(({ name }) => name)).not.toContain('nas')
})

test('403: an operator, or an admin of some hosts', async () => {
  const { ports } = world()
  const body = { name: 'nas' }
  expect((await call(create, { ports, as: 'operator', body })).status).toBe(403)
  const as = { username: 'lars', role: 'admin', scopeTags: ['lab'] }
  expect((await call(create, { ports, as, body })).status).toBe(403)
})

test('409: the name is taken, ignoring case', async () => {
  const { ports } = world()
  for (const [name, status] of [
    ['nas', 201],
    ['NAS', 409],
  ] as const) {
    expect((await call(create, { ports, as: 'admin', body: { name } })).status).toBe(status)
  }
})

test('201: the audit row and its event name the host', async () => {
  const { ports } = world()
  const made = { ports, as: 'admin' as const, body: { name: 'nas' } }
  const { id } = (await call(create, { ...made, route: 'POST /hosts' })).json.host
  const [row] = (await ports.audit.list({ limit: 1 })).rows
  expect(row).toMatchObject({
    action: 'hosts.create',
    hosts: [id],
    subject: { kind: 'hosts', id, name: 'nas' },
  })
  expect(fromAuditRow(present(row))?.subject).toEqual({ kind: 'host', id, name: 'nas' })
})

test('201: says why the command cannot work while the service does not know its address', async () => {
  const { ports } = world()
  ports.addresses = { ...ports.addresses, base: () => 'http://localhost:8080' }
  const made = async (name: string) =>
    (await call(create, { ports, as: 'admin', body: { name } })).json.enrolment
  expect((await made('one')).problem).toBeNull()
  ports.site.baseUrl = null
  expect((await made('two')).problem).toContain('Set SERVICE_BASE_URL')
})
