import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { evaluate } from '../core/alerts/evaluate.ts'
import { containerSubject } from '../core/alerts/rule-samples.ts'
import create from './create.ts'
import get from './get.ts'
import list from './list.ts'
import remove from './remove.ts'
import update from './update.ts'

const busy = { name: 'busy', metric: 'cpu_percent', threshold: 80 }
const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }

async function withOne(body: object = busy) {
  const ports = memoryPorts()
  const made = await call(create, { ports, as: 'admin', body })
  return { ports, made, path: { id: made.json.id as string } }
}

/** Makes the rule fire for a container. */
async function fire({ ports, path }: Awaited<ReturnType<typeof withOne>>) {
  const rule = present(await ports.alertRules.find(path.id))
  const seen = [{ subject: containerSubject('web'), value: 97.5 }]
  const at = { hostId: 'local', fence: 1, now: ports.clock.now(), gap: false }
  const state = present(
    evaluate({ ...rule, forSeconds: 0 }, undefined, seen, {
      ...at,
      newId: () => ports.random.id(),
    }),
  )
  await ports.alertStates.save({ ...state, revision: 0 })
}

test('201: fills in the defaults of each metric', async () => {
  const { made } = await withOne()
  expect(made.status).toBe(201)
  expect(made.json).toMatchObject({
    ...busy,
    operator: 'gt',
    for_seconds: 60,
    cooldown_seconds: 300,
    match: {},
    severity: 'warning',
    channels: [],
    muted_until: null,
    enabled: true,
    firing: [],
  })
  const down = await withOne({ name: 'down', metric: 'container_down' })
  expect(down.made.json).toMatchObject({ operator: 'eq', threshold: 1, for_seconds: 60 })
  const restarts = await withOne({ name: 'loops', metric: 'restarts', threshold: 3 })
  expect(restarts.made.json).toMatchObject({ operator: 'gt', for_seconds: 600 })
  const updates = await withOne({ name: 'updates', metric: 'updates_available' })
  expect(updates.made.json).toMatchObject({ operator: 'gt', threshold: 0, for_seconds: 0 })
})

test.each([
  [{ metric: 'cpu_percent' }, 'threshold'],
  [{ metric: 'cpu_percent', threshold: 80, operator: 'eq' }, 'operator'],
  [{ metric: 'memory_percent', threshold: 101 }, 'threshold'],
  [{ metric: 'cpu_percent', threshold: -1 }, 'threshold'],
  [{ metric: 'host_down', operator: 'gt' }, 'operator'],
  [{ metric: 'unhealthy', threshold: 2 }, 'threshold'],
  [{ metric: 'restarts', threshold: 0 }, 'threshold'],
  [{ metric: 'restarts', threshold: 1.5 }, 'threshold'],
  [{ metric: 'restarts', threshold: 3, operator: 'lt' }, 'operator'],
  [{ metric: 'restarts', threshold: 3, for_seconds: 5 }, 'for_seconds'],
  [{ metric: 'host_down', match: { containers: ['*'] } }, 'match.containers'],
  [{ metric: 'updates_available', threshold: 0, operator: 'gte' }, 'threshold'],
  [{ metric: 'updates_available', operator: 'lt' }, 'operator'],
  [{ metric: 'update_checks_failed', match: { containers: ['*'] } }, 'match.containers'],
  [{ metric: 'backup_failed', match: { stacks: ['*'] } }, 'match.stacks'],
  [{ metric: 'cpu', threshold: 80 }, 'metric'],
  [{ ...busy, match: { hosts: [] } }, 'match.hosts'],
  [{ ...busy, match: { hosts: 'local' } }, 'match.hosts'],
  [{ ...busy, match: { images: ['*'] } }, 'match'],
  [{ ...busy, for_seconds: 1e9 }, 'for_seconds'],
  [{ ...busy, muted_until: 'tomorrow' }, 'muted_until'],
  [{ ...busy, name: ' ' }, 'name'],
  [{ ...busy, notes: '' }, 'notes'],
])('400: %j', async (body, where) => {
  const { status, json } = await call(create, { as: 'admin', body: { name: 'one', ...body } })
  expect(status).toBe(400)
  expect(json.error).toContain(where)
})

test('200: lists rules by name with the alerts that fire', async () => {
  const one = await withOne()
  await call(create, { ports: one.ports, as: 'admin', body: { ...busy, name: 'also' } })
  await fire(one)
  const { json } = await call(list, { ports: one.ports, as: 'viewer' })
  expect(json.map(({ name }: Json) => name)).toEqual(['also', 'busy'])
  expect(json[0].firing).toEqual([])
  expect(json[1].firing).toMatchObject([
    { subject: { kind: 'container', name: 'web', host_id: 'local' }, value: 97.5 },
  ])
  const shown = await call(get, { ports: one.ports, as: 'viewer', path: one.path })
  expect([shown.status, shown.json]).toEqual([200, json[1]])
})

test('200: shows a rule to callers who can access a host that it matches', async () => {
  const one = await withOne({ ...busy, match: { hosts: ['loc*'] } })
  const { ports } = one
  const local = present(await ports.hosts.find('local'))
  expect((await call(list, { ports, as: limited })).json).toEqual([])
  expect((await call(get, { ports, as: limited, path: one.path })).status).toBe(403)
  await ports.hosts.replace({ ...local, tags: ['lab'] })
  expect((await call(list, { ports, as: limited })).json).toHaveLength(1)
  expect((await call(get, { ports, as: limited, path: one.path })).status).toBe(200)
})

test('200: keeps omitted fields and accepts its own output', async () => {
  const one = await withOne()
  const { ports, path } = one
  await fire(one)
  const muted_until = '2026-06-01T15:00:00+02:00'
  const muted = await call(update, { ports, as: 'admin', path, body: { muted_until } })
  expect(muted.json).toMatchObject({ ...busy, muted_until: '2026-06-01T13:00:00.000Z' })
  expect(muted.json.firing).toHaveLength(1)
  const { id: _, firing: __, created_at: ___, updated_at: ____, ...again } = muted.json
  const same = await call(update, { ports, as: 'admin', path, body: again })
  expect([same.status, same.json.firing.length]).toEqual([200, 1])
  const other = await call(update, { ports, as: 'admin', path, body: { threshold: 90 } })
  expect(other.json).toMatchObject({ threshold: 90, firing: [] })
  const never = await call(update, { ports, as: 'admin', path, body: { muted_until: null } })
  expect(never.json.muted_until).toBeNull()
})

test('400: rejects a change that makes the rule invalid', async () => {
  const { ports, path } = await withOne()
  const body = { metric: 'host_down' }
  expect((await call(update, { ports, as: 'admin', path, body })).status).toBe(400)
})

test('204: deletes a rule and its alerts', async () => {
  const one = await withOne()
  await fire(one)
  expect((await call(remove, { ports: one.ports, as: 'admin', path: one.path })).status).toBe(204)
  expect((await call(list, { ports: one.ports, as: 'admin' })).json).toEqual([])
})

test('401 and 403: no credential, an operator, or an admin of some hosts', async () => {
  const { ports, path } = await withOne()
  const local = present(await ports.hosts.find('local'))
  await ports.hosts.replace({ ...local, tags: ['lab'] })
  expect((await call(list, { ports })).status).toBe(401)
  const refused = [
    call(create, { ports, as: 'operator', body: busy }),
    call(create, { ports, as: limited, body: busy }),
    call(update, { ports, as: limited, path, body: {} }),
    call(remove, { ports, as: limited, path }),
  ]
  for (const one of await Promise.all(refused)) expect(one.status).toBe(403)
})

test('404: unknown rule or channel', async () => {
  const { ports, path } = await withOne()
  const nothing = { path: { id: 'none' }, as: 'admin', ports } as const
  expect((await call(get, nothing)).status).toBe(404)
  expect((await call(update, { ...nothing, body: {} })).status).toBe(404)
  expect((await call(remove, nothing)).status).toBe(404)
  const body = { ...busy, name: 'other', channels: ['none'] }
  const made = await call(create, { ports, as: 'admin', body })
  expect([made.status, made.json.error]).toEqual([404, expect.stringContaining('none')])
  const changed = await call(update, { ports, as: 'admin', path, body: { channels: ['none'] } })
  expect(changed.status).toBe(404)
})

test('409: the name is taken, ignoring case', async () => {
  const { ports } = await withOne()
  const body = { ...busy, name: 'BUSY' }
  expect((await call(create, { ports, as: 'admin', body })).status).toBe(409)
  const other = await call(create, { ports, as: 'admin', body: { ...busy, name: 'other' } })
  const path = { id: other.json.id }
  expect((await call(update, { ports, as: 'admin', path, body: { name: 'busy' } })).status).toBe(
    409,
  )
})
