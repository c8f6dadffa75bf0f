import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { world } from '../../local/harness/world.ts'
import create from './create.ts'
import get from './get.ts'

test('201: a host waits for its agent, with a token and the line that installs it', async () => {
  const { ports } = world()
  const body = { name: 'nas', tags: ['home'] }
  const { status, json } = await call(create, { ports, as: 'admin', body })
  expect([status, json.host.status, json.host.tags]).toEqual([201, 'pending', ['home']])
  expect(json.host.agent).toEqual({
    version: null,
    certificate_expires_at: null,
    last_seen_at: null,
  })
  const { token, command, expires_at: expiresAt } = json.enrolment
  expect(token).toMatch(/^cse_[\w-]{43}\.[0-9a-f]{64}$/)
  expect(command).toBe(
    `curl -fsSL https://stacks.example.org/api/v1/agents/install.sh | AGENT_TOKEN=${token} sh`,
  )
  expect(Date.parse(expiresAt) - ports.clock.now()).toBe(30 * 60 * 1000)
  const shown = await call(get, { ports, as: 'viewer', path: { id: json.host.id } })
  expect(shown.json).toEqual(json.host)
})

test('400: a name or a tag that cannot be', async () => {
  const { ports } = world()
  for (const body of [{}, { name: '' }, { name: 'a', tags: ['-'] }, { name: '$(id)' }]) {
    expect((await call(create, { ports, as: 'admin', body })).status).toBe(400)
  }
})

test('403: an operator, and who is limited to some hosts', async () => {
  const { ports } = world()
  const body = { name: 'nas' }
  expect((await call(create, { ports, as: 'operator', body })).status).toBe(403)
  const as = { username: 'lars', role: 'admin', scopeTags: ['lab'] }
  expect((await call(create, { ports, as, body })).status).toBe(403)
})

test('409: the name is a host’s already, whatever its letters', async () => {
  const { ports } = world()
  for (const [name, status] of [
    ['nas', 201],
    ['NAS', 409],
    ['Local', 409],
  ] as const) {
    expect((await call(create, { ports, as: 'admin', body: { name } })).status).toBe(status)
  }
})
