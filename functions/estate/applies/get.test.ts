import { expect, test } from 'vitest'
import type { Json } from '../../../adapters/testing/json.ts'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { givenRole } from '../../../local/harness/roles.ts'
import type { TestCaller } from '../../../local/harness/sign-in.ts'
import { type World, world } from '../../../local/harness/world.ts'
import { estatesMax } from '../../core/records/estate.ts'
import apply from '../apply.ts'
import get from './get.ts'

const role = (name: string) => ({ name, permissions: [] })
const sections = { roles: [role('one'), role('two'), role('three')] }

const applied = ({ ports }: World, as: TestCaller = 'admin', file: object = {}) =>
  call(apply, { ports, as, body: { estate: { version: 1, name: 'home', ...sections, ...file } } })

const shown = ({ ports }: World, as: TestCaller = 'admin') =>
  call(get, { ports, as, path: { name: 'home' } })

const statesIn = ({ json }: { json: Json }): string[] => json.steps.map(({ state }: Json) => state)

test('200: shows how the newest apply ended', async () => {
  const here = world()
  await applied(here)
  const { status, json } = await shown(here)
  expect([status, json]).toEqual([
    200,
    {
      name: 'home',
      by: 'admin',
      prune: false,
      status: 'ended',
      started_at: '2026-06-01T12:00:00.000Z',
      finished_at: '2026-06-01T12:00:00.000Z',
      steps: sections.roles.map(({ name }) => {
        return { section: 'roles', name, action: 'create', state: 'done', problems: [] }
      }),
    },
  ])
  await applied(here)
  expect(statesIn(await shown(here))).toEqual(['unchanged', 'unchanged', 'unchanged'])
})

/** Returns a promise, and the function that resolves it. */
function gate() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, passed }
}

test('200 and 409: shows one that runs, and lets no other begin', async () => {
  const here = world()
  const { ports } = here
  const { create } = ports.roles
  const [begun, goOn] = [gate(), gate()]
  ports.roles.create = async (value) => {
    if (value.id !== 'two') return create(value)
    begun.open()
    await goOn.passed
    return create(value)
  }
  const first = applied(here)
  await begun.passed
  const running = await shown(here)
  expect(running.json).toMatchObject({ status: 'running', finished_at: null })
  expect(statesIn(running)).toEqual(['done', 'waiting', 'waiting'])
  const second = await applied(here, { username: 'eve', role: 'admin' })
  expect([second.status, second.headers['x-error-reason'], second.json.error]).toEqual([
    409,
    'lease-held',
    'estate home: admin applies a file of it since 2026-06-01T12:00:00.000Z: try again when that has ended',
  ])
  const policies = { roles: [], update_policies: [{ of: 'default', mode: 'notify' }] }
  const eve = { username: 'eve', role: 'admin' }
  expect((await applied(here, eve, { name: 'other', ...policies })).status).toBe(200)
  goOn.open()
  expect(statesIn(await first)).toContain('done')
  expect((await shown(here)).json).toMatchObject({ by: 'admin', status: 'ended' })
})

test('200: after a kill, steps before it are done and the rest is skipped', async () => {
  for (const [at, killed] of ['one', 'two', 'three'].entries()) {
    const here = world()
    const { ports } = here
    const { create } = ports.roles
    const { replace } = ports.estates
    let isKilled = false
    const kill = () => {
      isKilled = true
      throw new Error('killed')
    }
    ports.roles.create = async (value) => (value.id === killed ? kill() : create(value))
    ports.estates.replace = async (record) => (isKilled ? kill() : replace(record))
    expect((await applied(here)).status).toBe(500)
    const { json } = await shown(here)
    expect(json).toMatchObject({ status: 'interrupted', finished_at: null })
    const wanted = ['one', 'two', 'three'].map((_, index) => (index < at ? 'done' : 'skipped'))
    expect(statesIn({ json })).toEqual(wanted)
    Object.assign(ports.roles, { create })
    Object.assign(ports.estates, { replace })
    expect((await applied(here)).status).toBe(200)
    const things = present(await ports.estates.find('home')).things.map(({ name }) => name)
    expect(things.sort()).toEqual(['one', 'three', 'two'])
  }
})

test('200: the lease of a process that was killed does not show its apply as running', async () => {
  const here = world()
  const { ports } = here
  await applied(here)
  const record = present(await ports.estates.find('home'))
  const steps = record.last.steps.map((step) => ({ ...step, state: 'waiting' as const }))
  await ports.estates.replace({ ...record, last: { ...record.last, finishedAt: null, steps } })
  await ports.leases.acquire('estate:home', `process-0/${record.last.id}`, 10_000)
  expect((await shown(here)).json.status).toBe('running')
  ports.clock.advance(20_000)
  const killed = await shown(here)
  expect([killed.json.status, ...statesIn(killed)]).toEqual([
    ...['interrupted', 'skipped', 'skipped', 'skipped'],
  ])
  expect((await applied(here)).status).toBe(200)
})

test('409: a file with another name while there are too many', async () => {
  const here = world()
  await applied(here)
  const { ports } = here
  const { revision: _, ...record } = present(await ports.estates.find('home'))
  for (let at = 1; at < estatesMax; at += 1) {
    await ports.estates.create({ ...record, id: `estate-${at}` })
  }
  const { status, json, headers } = await applied(here, 'admin', { name: 'more' })
  expect([status, json.error]).toEqual([409, expect.stringContaining('limit of 100 estates')])
  expect(headers['x-error-reason']).toBe('limit')
  expect((await applied(here)).status).toBe(200)
})

test('404: to others only with the right to read the audit log on every host', async () => {
  const here = world()
  expect((await shown(here)).status).toBe(404)
  const owner = await givenRole(here, ['roles:manage'])
  await applied(here, owner)
  expect((await shown(here, owner)).json.by).toBe(owner.username)
  expect((await shown(here, await givenRole(here, ['audit:read']))).status).toBe(200)
  expect((await shown(here, 'operator')).status).toBe(404)
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  expect((await shown(here, limited)).status).toBe(404)
})

test('400 and 401: no name of an estate, and no credential', async () => {
  const { ports } = world()
  expect((await call(get, { ports, as: 'admin', path: { name: 'A B' } })).status).toBe(400)
  expect((await call(get, { ports, path: { name: 'home' } })).status).toBe(401)
})
