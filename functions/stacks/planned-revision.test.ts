import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenHost, givenStack, shop, type World, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import deploy from './deploy.ts'
import plan from './plan.ts'
import update from './update.ts'

const path = { name: 'shop' }
const compose = (seconds: number) => shop.replace('sleep 3600', `sleep ${seconds}`)

const saves = ({ ports }: World, seconds: number) =>
  call(update, { ports, as: 'operator', path, body: { compose: compose(seconds) } })
const deploys = ({ ports }: World, body: object) =>
  call(deploy, { ports, as: 'operator', path, body })
const plans = ({ ports }: World, body: object) => call(plan, { ports, as: 'operator', path, body })

const recorded = async ({ ports }: World) => present(await ports.stacks.find('shop'))

/** Edits compose.yaml on the host. */
function edit({ engine }: World, seconds: number) {
  const file = present(engine.state.files.get('/opt/stacks/shop/compose.yaml'))
  file.content = Buffer.from(compose(seconds))
}

const stale = (revision: number, current: number) => ({
  error:
    `stack shop: its files were changed since revision ${revision}; the current revision is ${current}: ` +
    'look at that one first',
})

test('200: a plan says its revision, and its body deploys that one', async () => {
  const here = world()
  await givenStack(here)
  await saves(here, 1)
  const planned = await plans(here, {})
  expect(planned.headers['x-revision']).toBe('2')
  const body = { revision: 2 }
  const again = await plans(here, body)
  expect([again.json, again.headers['x-revision']]).toEqual([planned.json, '2'])
  const { status, json } = await deploys(here, body)
  expect([status, json.status, json.revision]).toEqual([200, 'succeeded', 2])
  const repeated = await deploys(here, body)
  expect([repeated.json.steps, repeated.json.revision]).toEqual([[], 2])
})

test('409: neither plans nor deploys another revision', async () => {
  const here = world()
  await givenStack(here)
  await saves(here, 1)
  const before = here.engine.executed.length
  for (const revision of [1, 3]) {
    for (const { status, json, headers } of [
      await plans(here, { revision }),
      await deploys(here, { revision }),
    ]) {
      expect([status, json]).toEqual([409, stale(revision, 2)])
      expect(headers['x-error-reason']).toBe('stale-revision')
    }
  }
  expect(here.engine.executed).toHaveLength(before)
  expect(await recorded(here)).toMatchObject({ deployedRevision: 1, contentRevision: 2 })
})

test('409: files that are saved just before the deploy takes its lease', async () => {
  const here = world()
  await givenStack(here)
  await saves(here, 1)
  const { leases, deployments } = here.ports
  const acquire = leases.acquireIfUnchanged.bind(leases)
  leases.acquireIfUnchanged = async (...of) => {
    leases.acquireIfUnchanged = acquire
    await saves(here, 2)
    return acquire(...of)
  }
  const before = here.engine.executed.length
  const { status, json } = await deploys(here, { revision: 2 })
  expect([status, json]).toEqual([409, stale(2, 3)])
  expect(here.engine.executed).toHaveLength(before)
  expect(await deployments.listRunning()).toEqual([])
  expect((await deploys(here, { revision: 3 })).json.revision).toBe(3)
})

test.each([
  ['import', { on_drift: 'import' }],
  ['host', { host: 'far' }],
])('409: judges the revision before %s writes', async (what, chosen) => {
  const here = world()
  await givenHost(here, 'far')
  await givenStack(here, 'shop', { deployed: what === 'import' })
  if (what === 'import') edit(here, 7)
  const { leases } = here.ports
  const acquire = leases.acquire.bind(leases)
  leases.acquire = async (...of) => {
    leases.acquire = acquire
    await saves(here, 1)
    return acquire(...of)
  }
  const { status, json } = await deploys(here, { ...chosen, revision: 1 })
  expect([status, json]).toEqual([409, stale(1, 2)])
  expect(await recorded(here)).toMatchObject({ contentRevision: 2, hostId: 'local' })
})

test('200: imports into the revision that the body names, and says so in the plan', async () => {
  const here = world()
  await givenStack(here)
  edit(here, 7)
  const body = { on_drift: 'import', revision: 1 }
  const planned = await plans(here, body)
  expect(planned.json).toEqual([
    expect.objectContaining({
      action: 'warning',
      kind: 'drift',
      reason: expect.stringContaining('new revision'),
    }),
    expect.objectContaining({ action: 'drift', kind: 'file', name: 'compose.yaml' }),
  ])
  expect(await recorded(here)).toMatchObject({ contentRevision: 1 })
  expect((await deploys(here, body)).json).toMatchObject({ status: 'succeeded', revision: 2 })
})

test('200: plans what overwriting edited files does', async () => {
  const here = world()
  await givenStack(here)
  edit(here, 7)
  const body = { on_drift: 'overwrite' }
  const steps = (await plans(here, body)).json.slice(1)
  const done = (await deploys(here, body)).json.steps
  expect(steps).toMatchObject([{ action: 'write', kind: 'files' }])
  expect(done).toMatchObject(steps)
})

test('200: plans on the host that the body names, and leaves the stack where it is', async () => {
  const here = world()
  const far = await givenHost(here, 'far')
  await givenStack(here, 'shop', { deployed: false })
  here.engine.offline = internalError('not asked')
  const body = { host: 'far' }
  const planned = await plans(here, body)
  expect([planned.status, planned.json[0].name]).toEqual([200, '/opt/stacks/shop'])
  expect(await recorded(here)).toMatchObject({ hostId: 'local' })
  expect(far.engine.executed).toEqual([])
  const { json } = await deploys(here, body)
  expect(json).toMatchObject({ status: 'succeeded', host: 'far' })
  expect(json.steps).toMatchObject(planned.json)
})

test('409: plans no stack on another host than the one where it is deployed', async () => {
  const here = world()
  await givenHost(here, 'far')
  await givenStack(here)
  expect((await plans(here, { host: 'far' })).status).toBe(409)
})

test('200: leaves out the references that the body accepts', async () => {
  const here = world()
  here.engine.state.volumes.set('byhand', { name: 'byhand', labels: {} })
  const mounting = `services: {web: {image: "busybox:latest", command: sleep 60, volumes: ["vol:/v"]}}
volumes: {vol: {name: byhand, external: true}}`
  const { ports } = here
  await givenStack(here, 'shop', { compose: mounting, deployed: false })
  await call(update, { ports, as: 'operator', path, body: { compose: `${mounting}\n` } })
  const open = async (body: object) => {
    const { json } = await call(plan, { ports, as: 'admin', path, body })
    return json.flatMap((row: { kind: string; name: string }) =>
      row.kind === 'reference' ? row.name : [],
    )
  }
  expect(await open({})).toEqual(['volume:byhand'])
  expect(await open({ accept_references: ['volume:other'] })).toEqual(['volume:byhand'])
  expect(await open({ accept_references: ['volume:byhand'] })).toEqual([])
})

test('400: a revision is a positive number', async () => {
  const here = world()
  await givenStack(here)
  for (const revision of [0, 1.5, '1']) {
    expect((await deploys(here, { revision })).status).toBe(400)
    expect((await plans(here, { revision })).status).toBe(400)
  }
})
