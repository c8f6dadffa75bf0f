import { expect, test } from 'vitest'
import type { Json } from '../../../adapters/testing/json.ts'
import { memoryBackground } from '../../../adapters/testing/memory/background.ts'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { givenStack, shop, type World, world } from '../../../local/harness/world.ts'
import type { Step } from '../../compose/step.ts'
import deploy from '../deploy.ts'
import getStack from '../get.ts'
import recover from '../recover-deployments.ts'
import remove from '../remove.ts'
import rollback from '../rollback.ts'
import stop from '../stop.ts'
import cancel from './cancel.ts'
import getDeployment from './get.ts'

const path = { name: 'shop' }
const title = ({ action, name }: Step) => `${action} ${name}`

/**
 * Holds the first step of a title, before it changes anything. It fails with the reason of its
 * signal once that is aborted.
 */
function held({ engine }: World, which: string) {
  const { execute } = engine
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let isReached = false
  engine.execute = async (step, signal) => {
    if (isReached || title(step) !== which) return execute(step, signal)
    isReached = true
    await new Promise<void>((resolve, reject) => {
      void released.then(resolve)
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    return execute(step, signal)
  }
  return { release, reached: () => expect.poll(() => isReached).toBe(true) }
}

const ask = ({ ports }: World, id: string, as: 'operator' | 'viewer' = 'operator') =>
  call(cancel, {
    ports,
    as,
    path: { ...path, id },
    route: 'POST /stacks/{name}/deployments/{id}/cancel',
  })
const shown = async ({ ports }: World, id: string): Promise<Json> =>
  (await call(getDeployment, { ports, as: 'viewer', path: { ...path, id } })).json
const newest = async ({ ports }: World) =>
  present((await ports.deployments.listByStack('shop', 1))[0])

/** Waits until the process that runs the deployment has seen the request. */
async function noticed({ ports: { clock, deployments } }: World): Promise<void> {
  const { findCancelRequest } = deployments
  let isSeen = false
  deployments.findCancelRequest = async (...given) => {
    const found = await findCancelRequest(...given)
    isSeen ||= found !== undefined
    return found
  }
  await expect
    .poll(() => {
      clock.advance(1000)
      return isSeen
    })
    .toBe(true)
}

/** Waits until a deployment has ended. Its process looks again when the clock moves. */
async function ended(here: World, id: string): Promise<Json> {
  await expect
    .poll(async () => {
      here.ports.clock.advance(1000)
      return (await shown(here, id)).status
    })
    .not.toBe('running')
  await here.ports.background.settled()
  return shown(here, id)
}

const begin = async (here: World, body: Json = {}) =>
  (await call(deploy, { ports: here.ports, as: 'operator', path, query: { wait: false }, body }))
    .json

test('202: the running step finishes, no further one starts', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const step = held(here, 'start shop-db-1')
  const { id } = await begin(here)
  await step.reached()
  expect(await ask(here, id)).toMatchObject({ status: 202, json: { id, status: 'running' } })
  await noticed(here)
  step.release()
  const end = await ended(here, id)
  expect(end).toMatchObject({ status: 'interrupted', error: 'cancelled by operator' })
  const statusOf = (name: string) =>
    end.steps.find((one: Json) => one.action === 'start' && one.name === name).status
  expect([statusOf('shop-db-1'), statusOf('shop-web-1')]).toEqual(['done', 'skipped'])
  expect((await newest(here)).finishedAt).not.toBeNull()
})

test('202: a wait is aborted at once', async () => {
  const here = world()
  const compose = shop.replace(
    'depends_on: [db]',
    'depends_on: {db: {condition: service_completed_successfully}}',
  )
  await givenStack(here, 'shop', { deployed: false, compose })
  const { id } = await begin(here)
  await expect.poll(() => here.engine.executed.some(({ action }) => action === 'wait')).toBe(true)
  expect((await ask(here, id)).status).toBe(202)
  const end = await ended(here, id)
  expect(end).toMatchObject({ status: 'interrupted', error: 'cancelled by operator' })
  expect(end.steps.find(({ action }: Json) => action === 'wait')).toMatchObject({
    status: 'failed',
    error: 'cancelled by operator',
  })
})

test('202: cancelled in a pull, the stack keeps its status and what runs', async () => {
  const here = world()
  await givenStack(here)
  const before = [...here.engine.state.containers.keys()]
  const step = held(here, 'pull busybox:latest')
  const { id } = await begin(here, { pull: 'always', force_recreate: true })
  await step.reached()
  expect((await ask(here, id)).status).toBe(202)
  expect(await ended(here, id)).toMatchObject({
    status: 'interrupted',
    error: 'cancelled by operator',
  })
  const { json } = await call(getStack, { ports: here.ports, as: 'viewer', path })
  expect(json).toMatchObject({
    status: 'running',
    operation: null,
    last_deployment: { id, status: 'interrupted', error: 'cancelled by operator' },
  })
  expect([...here.engine.state.containers.keys()]).toEqual(before)
})

test('202: a second request while it runs, the first one counts', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const step = held(here, 'create shop-db-1')
  const { id } = await begin(here)
  await step.reached()
  expect([(await ask(here, id)).status, (await ask(here, id)).status]).toEqual([202, 202])
  step.release()
  expect((await ended(here, id)).error).toBe('cancelled by operator')
})

test('200: the deploy that waits gets the interrupted deployment', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const step = held(here, 'create shop-db-1')
  const waiting = call(deploy, { ports: here.ports, as: 'admin', path, body: {} })
  await step.reached()
  const { id } = await newest(here)
  await ask(here, id)
  await noticed(here)
  step.release()
  expect((await waiting).json).toMatchObject({ id, status: 'interrupted' })
})

test.each([
  ['stop', 'stop shop-web-1', 500],
  ['rollback', 'stop shop-web-1', 200],
  ['remove', 'stop shop-web-1', 500],
] as const)('202: a %s is cancelled too, and the stack stays', async (kind, which, status) => {
  const here = world()
  await givenStack(here)
  const { id: target } = await newest(here)
  const { ports } = here
  if (kind === 'rollback') {
    await call(deploy, { ports, as: 'admin', path, body: { force_recreate: true } })
    const records = [...here.engine.state.containers.values()]
    for (const one of records) one.body.Labels = { ...(one.body.Labels as object), [hash]: 'old' }
  }
  const step = held(here, which)
  const request = { ports, as: 'admin' as const, path }
  const waiting =
    kind === 'rollback'
      ? call(rollback, { ...request, body: { deployment_id: target } })
      : call(kind === 'stop' ? stop : remove, request)
  await step.reached()
  const { id } = await newest(here)
  await ask(here, id)
  await noticed(here)
  step.release()
  expect((await waiting).status).toBe(status)
  expect(await shown(here, id)).toMatchObject({
    kind,
    status: 'interrupted',
    error: 'cancelled by operator',
  })
})

const hash = 'com.docker.compose.config-hash'

/** Begins a deployment whose process dies before its first step. */
async function abandoned(here: World) {
  const { background } = here.ports
  const { run } = background
  background.run = () => {}
  const { id } = await begin(here, { force_recreate: true })
  background.run = run
  return id as string
}

test('a cancelled deployment whose process died is not resumed', async () => {
  const here = world()
  await givenStack(here)
  const before = here.engine.executed.length
  const id = await abandoned(here)
  expect((await ask(here, id)).status).toBe(202)
  here.ports.clock.advance(10_001)
  await recover.with({ ...here.ports, background: memoryBackground('process-2') })()
  expect(await shown(here, id)).toMatchObject({
    status: 'interrupted',
    error: 'cancelled by operator',
  })
  expect(here.engine.executed).toHaveLength(before)
  const { json } = await call(deploy, { ports: here.ports, as: 'operator', path, body: {} })
  expect(json.status).toBe('succeeded')
})

test('a resumed deployment can be cancelled by another process', async () => {
  const here = world()
  await givenStack(here)
  const id = await abandoned(here)
  here.ports.clock.advance(10_001)
  const step = held(here, 'stop shop-web-1')
  const background = memoryBackground('process-2')
  await recover.with({ ...here.ports, background })()
  await step.reached()
  expect((await ask(here, id)).status).toBe(202)
  await noticed(here)
  step.release()
  await background.settled()
  expect((await shown(here, id)).status).toBe('interrupted')
})

test('a deployment shorter than a second never looks for a request', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  let looks = 0
  const { findCancelRequest } = here.ports.deployments
  here.ports.deployments.findCancelRequest = (...given) => {
    looks += 1
    return findCancelRequest(...given)
  }
  const { json } = await call(deploy, { ports: here.ports, as: 'admin', path, body: {} })
  expect([json.status, looks]).toEqual(['succeeded', 0])
})

test('409: the deployment has ended, also while the request is stored', async () => {
  const here = world()
  await givenStack(here)
  const done = await newest(here)
  const late = await ask(here, done.id)
  expect(late).toMatchObject({ status: 409, headers: { 'x-error-reason': 'conflict' } })
  expect(late.json.error).toBe(
    `deployment ${done.id}: the deploy has ended (succeeded) and cannot be cancelled`,
  )
  const { deployments } = here.ports
  await deployments.save({ ...done, status: 'running', finishedAt: null })
  const { requestCancel } = deployments
  deployments.requestCancel = async (...given) => {
    await requestCancel(...given)
    await deployments.save(done)
  }
  expect((await ask(here, done.id)).status).toBe(409)
})

test('404: no such stack or deployment; 403 for a viewer', async () => {
  const here = world()
  await givenStack(here)
  const { id } = await newest(here)
  expect((await ask(here, id, 'viewer')).status).toBe(403)
  expect((await ask(here, 'none')).status).toBe(404)
  const { ports } = here
  const none = { ports, as: 'operator' as const, path: { name: 'none', id } }
  expect((await call(cancel, none)).status).toBe(404)
})

test('the audit row names the stack', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const step = held(here, 'create shop-db-1')
  const { id } = await begin(here)
  await step.reached()
  await ask(here, id)
  step.release()
  await ended(here, id)
  const { rows } = await here.ports.audit.after(0)
  const about = rows.filter(({ action }) => action === 'stacks.deployments.cancel')
  expect(about.at(-1)).toMatchObject({
    outcome: 'succeeded',
    status: 202,
    username: 'operator',
    subject: { kind: 'stacks', id: 'shop' },
  })
})
