import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { call } from '../../local/harness/call.ts'
import { givenContainer, world } from '../../local/harness/world.ts'
import { noInstallation } from '../core/owners/installation.ts'
import type { MemberKind } from '../core/records/installation.ts'
import get from './get.ts'
import kill from './kill.ts'
import list from './list.ts'
import logs from './logs.ts'
import remove from './remove.ts'
import restart from './restart.ts'
import start from './start.ts'
import stop from './stop.ts'

/** A world in which one container is a member of the installation, and another is not. */
async function installed(kind: MemberKind = 'agent') {
  const here = world()
  const command = ['sh', '-c', 'echo SECRET=in-log; sleep 60']
  const id = await givenContainer(here, 'agent', { env: ['AGENT_TOKEN=hidden'], command })
  const other = await givenContainer(here, 'web', { env: ['KEY=hidden'] })
  here.engine.own = { ...noInstallation, containers: new Map([[id, kind]]) }
  const ask = (endpoint: typeof get, role: Json, more: object = {}) =>
    call(endpoint as never, { ports: here.ports, as: role, path: { id: 'agent' }, ...more })
  return { here, id, other, ask }
}

/** May change settings, on hosts with this tag alone. */
const scopedAdmin = { username: 'ada', role: 'admin', scopeTags: ['lab'] }

test('200: lists members of the installation, marked, to everyone', async () => {
  const { here } = await installed()
  here.engine.own = { ...here.engine.own, stacks: new Set(['shop']) }
  const { json } = await call(list, { ports: here.ports, as: 'viewer' })
  expect(json.map((one: Json) => [one.name, one.owner])).toEqual([
    ['agent', 'installation'],
    ['web', 'foreign'],
  ])
})

test('200: a change of an owner shows at once', async () => {
  const { here } = await installed()
  await call(list, { ports: here.ports, as: 'viewer' })
  here.engine.own = noInstallation
  const { json } = await call(list, { ports: here.ports, as: 'viewer' })
  expect(json.map((one: Json) => one.owner)).toEqual(['foreign', 'foreign'])
})

test('200: an admin inspects a member, and sees no value of its environment', async () => {
  const { ask } = await installed()
  const { status, json, text } = await ask(get, 'admin')
  expect([status, json.owner, json.env]).toEqual([200, 'installation', ['AGENT_TOKEN']])
  expect(text).not.toContain('hidden')
})

test.each(['operator', 'viewer', scopedAdmin])('403: %j inspects a member', async (role) => {
  const { ask, here } = await installed()
  const host = await here.ports.hosts.find('local')
  if (host) await here.ports.hosts.replace({ ...host, tags: ['lab'] })
  const inspected = await ask(get, role)
  expect([inspected.status, inspected.json.error]).toEqual([
    403,
    expect.stringContaining('settings:manage'),
  ])
  const read = await ask(logs as never, role)
  expect([read.status, read.text]).toEqual([403, expect.not.stringContaining('in-log')])
})

test('200: an admin reads the log of a member', async () => {
  const { ask } = await installed()
  const { status, text } = await ask(logs as never, 'admin')
  expect([status, text]).toEqual([200, expect.stringContaining('in-log')])
})

test.each([
  ['start', start],
  ['stop', stop],
  ['restart', restart],
  ['kill', kill],
  ['remove', remove],
])('409: no account may %s a member', async (_verb, endpoint) => {
  const { ask, here } = await installed()
  for (const role of ['operator', 'admin']) {
    const answer = await ask(endpoint as never, role, { query: {} })
    expect([answer.status, answer.headers['x-error-reason']]).toEqual([409, 'own-installation'])
  }
  const { json } = await call(list, { ports: here.ports, as: 'viewer' })
  expect(json.map((one: Json) => one.state)).toEqual(['running', 'running'])
})

test('what a label added is stopped and removed with settings:manage, and started without', async () => {
  const { ask } = await installed('labelled')
  expect((await ask(stop as never, 'operator')).status).toBe(403)
  expect((await ask(remove as never, 'operator', { query: { force: true } })).status).toBe(403)
  expect((await ask(stop as never, 'admin')).status).toBe(200)
  expect((await ask(start as never, 'operator')).status).toBe(200)
  expect((await ask(remove as never, 'admin', { query: { force: true } })).status).toBe(204)
})

test('200: containers of others are as before', async () => {
  const { here } = await installed()
  const asked = { ports: here.ports, as: 'operator' as const, path: { id: 'web' } }
  expect((await call(get, asked)).json).toMatchObject({ owner: 'foreign', env: ['KEY=hidden'] })
  expect((await call(stop, asked)).status).toBe(200)
})
