import { expect, test } from 'vitest'
import { memoryBackground } from '../../adapters/testing/memory/background.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import listAudit from '../audit/list.ts'
import { internalError } from '../core/errors.ts'
import type { AuditRow } from '../core/records/audit-row.ts'
import deploy from './deploy.ts'
import recover from './recover-deployments.ts'
import rollback from './rollback.ts'

const path = { name: 'shop' }

/** Sends a deploy that is not waited for, and returns the deployment's id. */
async function deployed({ ports }: World, force = true): Promise<string> {
  const { status, json } = await call(deploy, {
    ports,
    as: 'operator',
    path,
    route: 'POST /stacks/{name}/deploy',
    query: { wait: false },
    body: { force_recreate: force },
  })
  expect(status).toBe(202)
  return json.id
}

const rowsOf = async ({ ports }: World) =>
  (await ports.audit.after(0)).rows.filter(({ action }) => action.startsWith('stacks.'))
const ends = async (here: World) =>
  (await rowsOf(here)).filter(({ continues }) => continues !== undefined)
const statusOf = async ({ ports }: World, id: string) =>
  (await ports.deployments.find('shop', id))?.status

/** The process dies: its leases expire and nothing of it runs on. */
async function recovered(here: World): Promise<void> {
  here.ports.clock.advance(10_001)
  await recover.with(here.ports)()
  await here.ports.background.settled()
}

test('202: a second row says how the deploy ended, and by whom it was started', async () => {
  const here = world()
  await givenStack(here)
  const id = await deployed(here)
  await here.ports.background.settled()
  const rows = await rowsOf(here)
  const [first] = rows.filter(({ status }) => status === 202)
  expect(await ends(here)).toMatchObject([
    {
      id,
      action: 'stacks.deploy',
      outcome: 'succeeded',
      status: null,
      actor: 'user',
      userId: first?.userId,
      username: 'operator',
      requestId: 'test-request',
      continues: first?.id,
      hosts: ['local'],
      subject: { kind: 'stacks', id: 'shop', name: 'shop' },
      values: { deployment_id: id, deployment_status: 'succeeded' },
    },
  ])
  expect(await here.ports.deployments.listUnaudited()).toEqual([])
  expect(await here.ports.audit.verify()).toMatchObject({ ok: true })
  const { json } = await call(listAudit, { ports: here.ports, as: 'admin' })
  expect(json.find((row: AuditRow) => row.id === id).continues).toBe(first?.id)
})

test('202: the row of a deploy that fails says so', async () => {
  const here = world()
  await givenStack(here)
  here.engine.failing = (step) => (step.action === 'start' ? internalError('no') : undefined)
  await deployed(here)
  await here.ports.background.settled()
  expect(await ends(here)).toMatchObject([
    { outcome: 'failed', values: { deployment_status: 'failed' } },
  ])
})

test('202: a rollback has one too', async () => {
  const here = world()
  await givenStack(here)
  const [first] = await here.ports.deployments.listByStack('shop', 1)
  await call(rollback, {
    ports: here.ports,
    as: 'operator',
    path,
    route: 'POST /stacks/{name}/rollback',
    query: { wait: false },
    body: { deployment_id: present(first).id },
  })
  await here.ports.background.settled()
  expect(await ends(here)).toMatchObject([{ action: 'stacks.rollback', outcome: 'succeeded' }])
})

test('200: a deploy that is waited for has none', async () => {
  const here = world()
  await givenStack(here)
  expect(await ends(here)).toEqual([])
})

test('one row after the process died while the deployment ran', async () => {
  const here = world()
  await givenStack(here)
  const { background } = here.ports
  const { run } = background
  background.run = () => {}
  const id = await deployed(here)
  background.run = run
  expect(await ends(here)).toEqual([])
  await recovered(here)
  await recovered(here)
  expect(await statusOf(here, id)).toBe('succeeded')
  expect(await ends(here)).toMatchObject([{ id, outcome: 'succeeded', username: 'operator' }])
})

test('one row after a deployment could not be resumed', async () => {
  const here = world()
  await givenStack(here)
  const { background } = here.ports
  const { run } = background
  background.run = () => {}
  const id = await deployed(here)
  background.run = run
  here.engine.offline = internalError('host local: it was revoked', { reason: 'host-revoked' })
  await recovered(here)
  expect(await ends(here)).toMatchObject([
    { id, outcome: 'failed', values: { deployment_status: 'interrupted' } },
  ])
})

test.each(['before the row was written', 'after it was written'])(
  'one row after the process died at the end, %s',
  async (moment) => {
    const here = world()
    await givenStack(here)
    const { audit } = here.ports
    const { append } = audit
    audit.append = async (row) => {
      if (row.continues === undefined) return append(row)
      if (moment.startsWith('after')) await append(row)
      throw internalError('the process died')
    }
    const id = await deployed(here)
    await here.ports.background.settled()
    audit.append = append
    expect(await statusOf(here, id)).toBe('succeeded')
    expect((await here.ports.deployments.listUnaudited()).map((one) => one.id)).toEqual([id])
    const others = ['process-2', 'process-3'].map((processId) => ({
      ...here.ports,
      background: memoryBackground(processId),
    }))
    here.ports.clock.advance(10_001)
    await Promise.all(others.map((ports) => recover.with(ports)()))
    await Promise.all(others.map(({ background }) => background.settled()))
    await recovered(here)
    expect(await ends(here)).toMatchObject([{ id, outcome: 'succeeded' }])
    expect(await here.ports.deployments.listUnaudited()).toEqual([])
  },
)

test('202: a deploy that has nothing to do had ended before, and has no second row', async () => {
  const here = world()
  await givenStack(here)
  const id = await deployed(here, false)
  expect(await statusOf(here, id)).toBe('succeeded')
  expect(await ends(here)).toEqual([])
  expect(await here.ports.deployments.listUnaudited()).toEqual([])
})
