import { expect, test } from 'vitest'
import { operation } from '../../adapters/testing/contract/samples.ts'
import { memoryBackground } from '../../adapters/testing/memory/background.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenHost, type World, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import type { Operation } from '../core/records/operation.ts'
import pull from '../images/pull.ts'
import cancel from './cancel.ts'
import get from './get.ts'
import list from './list.ts'
import recover from './recover-operations.ts'

const image = 'nginx:1'

/** A world whose Engine pulls images until the test releases them, or they are aborted. */
function pullingWorld() {
  const here = world()
  const { engine } = here
  const releases: (() => void)[] = []
  const release = () => {
    for (const one of releases.splice(0)) one()
  }
  const pullImage: typeof engine.pullImage = async (name, signal, options) => {
    await new Promise<void>((resolve, reject) => {
      releases.push(resolve)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    return engine.pullImage(name, signal, options)
  }
  here.ports.engines.byHost.set('local', { ...engine, pullImage })
  return { ...here, release }
}

const start = ({ ports }: World, as: TestCaller = 'operator', body: object = { image }) =>
  call(pull, { ports, as, route: 'POST /images/pull', query: { wait: false }, body })

async function started(here: World, as?: TestCaller): Promise<string> {
  const { status, json, text } = await start(here, as)
  expect(status, text).toBe(202)
  return json.id
}

const read = ({ ports }: World, id: string, as: TestCaller = 'operator') =>
  call(get, { ports, as, path: { id } })

const listed = async ({ ports }: World, as: TestCaller, query: Record<string, string> = {}) =>
  (await call(list, { ports, as, query })).json.map(({ id }: { id: string }) => id)

/** Another process that shares the store. */
const otherProcess = ({ ports }: World) => ({ ...ports, background: memoryBackground('process-2') })

/** Records a pull whose process died while its lease is still valid. */
async function givenDead({ ports }: World, more: Partial<Operation> = {}): Promise<Operation> {
  const id = ports.random.id()
  const { fence } = present(await ports.leases.acquire(`operation:${id}`, 'dead/x', 10_000))
  const dead = { ...operation(id), fence, startedAt: ports.clock.now(), unaudited: trail, ...more }
  await ports.operations.create(dead)
  return dead
}

const trail = {
  row: 'first-row',
  action: 'images.pull' as const,
  userId: 'u1',
  username: 'ada',
  credential: null,
  requestId: 'x',
}

const recoverIn = (ports: World['ports']) => recover.with(ports)()

const rowsOf = async ({ ports }: World) =>
  (await ports.audit.after(0)).rows.filter(({ action }) => action === 'images.pull')

test('202: the record says where to follow the pull, and has its result at the end', async () => {
  const here = pullingWorld()
  const { status, headers, json } = await start(here)
  expect([status, headers.location, headers['x-operation-id']]).toEqual([
    202,
    `/api/v1/operations/${json.id}`,
    json.id,
  ])
  expect(json).toMatchObject({
    kind: 'image_pull',
    subject: { kind: 'image', id: image, name: image },
    host: 'local',
    by: 'operator',
    status: 'running',
    finished_at: null,
    result: null,
  })
  expect((await read(here, json.id)).json).toEqual(json)
  here.release()
  await here.ports.background.settled()
  const ended = (await read(here, json.id)).json
  expect(ended).toMatchObject({ status: 'succeeded', error: null, result_truncated: false })
  expect(ended.result).toMatchObject({ tags: [image], host_id: 'local', host_name: 'Cellar' })
})

test('200: without wait=false the pull is waited for and leaves no record', async () => {
  const here = world()
  const { status } = await call(pull, { ports: here.ports, as: 'operator', body: { image } })
  expect(status).toBe(200)
  expect(await listed(here, 'operator')).toEqual([])
})

test('400, 403 and 404: what the request refuses leaves no record', async () => {
  const here = pullingWorld()
  expect((await start(here, 'operator', { image: 'a//b' })).status).toBe(400)
  expect((await start(here, 'operator', { image: 'nas.lan/x' })).status).toBe(403)
  expect((await start(here, 'operator', { image, host: 'mars' })).status).toBe(404)
  expect(await listed(here, 'admin')).toEqual([])
})

test('200: a pull that fails has the error and its reason', async () => {
  const here = world()
  const pullImage = async () => {
    throw internalError('Pulling nginx:1 failed: no route', { reason: 'registry-unreachable' })
  }
  here.ports.engines.byHost.set('local', { ...here.engine, pullImage })
  const id = await started(here)
  await here.ports.background.settled()
  expect((await read(here, id)).json).toMatchObject({
    status: 'failed',
    error: 'Pulling nginx:1 failed: no route',
    reason: 'registry-unreachable',
    result: null,
  })
})

test('200: an internal error is logged, and the record does not tell it', async () => {
  const here = world()
  const pullImage = async () => {
    throw new TypeError('x is not a function')
  }
  here.ports.engines.byHost.set('local', { ...here.engine, pullImage })
  const id = await started(here)
  await here.ports.background.settled()
  expect((await read(here, id)).json).toMatchObject({
    status: 'failed',
    error: 'the service failed to complete it',
    reason: 'internal',
  })
  expect(JSON.stringify(here.ports.log.lines)).toContain('an operation failed')
})

test('the end of a pull is a second row of the audit log, by whom it was started', async () => {
  const here = pullingWorld()
  const id = await started(here)
  const [begun, answered, ...none] = await rowsOf(here)
  expect([begun?.outcome, answered?.outcome, answered?.status, none]).toEqual([
    'begun',
    'succeeded',
    202,
    [],
  ])
  here.release()
  await here.ports.background.settled()
  expect((await rowsOf(here)).at(-1)).toMatchObject({
    id,
    continues: begun?.id,
    outcome: 'succeeded',
    username: 'operator',
    subject: { kind: 'images', id: image },
    hosts: ['local'],
    values: { operation_id: id, kind: 'image_pull', operation_status: 'succeeded' },
  })
  expect(await here.ports.operations.listOpen()).toEqual([])
})

test('200: a list that was cut links to the next part', async () => {
  const here = world()
  const ids = Array.from({ length: 201 }, () => here.ports.random.id())
  for (const id of ids) await here.ports.operations.create(operation(id))
  const ask = (query: Record<string, string>) =>
    call(list, { ports: here.ports, as: 'operator', query })
  const first = await ask({ kind: 'image_pull' })
  const before = present(ids.sort().at(1))
  expect([first.json.length, first.headers['x-result-truncated']]).toEqual([200, 'true'])
  expect(first.headers.link).toBe(`<?kind=image_pull&before=${before}>; rel="next"`)
  const rest = await ask({ before })
  expect(rest.json).toMatchObject([{ id: ids[0] }])
  expect(rest.headers).not.toHaveProperty('link')
})

test('200: lists operations newest first, by kind, status and before an id', async () => {
  const here = pullingWorld()
  const ids: string[] = []
  for (let count = 0; count < 3; count += 1) {
    here.ports.clock.advance(1000)
    ids.unshift(await started(here))
  }
  here.release()
  await here.ports.background.settled()
  here.ports.clock.advance(1000)
  const running = await started(here)
  expect(await listed(here, 'operator')).toEqual([running, ...ids])
  expect(await listed(here, 'operator', { status: 'running' })).toEqual([running])
  expect(await listed(here, 'operator', { before: ids[0] ?? '' })).toEqual(ids.slice(1))
  expect(await listed(here, 'operator', { kind: 'backup_verify' })).toEqual([])
  const [head] = (await call(list, { ports: here.ports, as: 'operator' })).json
  expect(head).not.toHaveProperty('result')
})

test('403: a scoped account does not see an operation on another host, another one does', async () => {
  const here = pullingWorld()
  await givenHost(here, 'far', { tags: ['lab'] })
  const id = await started(here)
  const limited = { username: 'lab', role: 'operator', scopeTags: ['lab'] }
  expect((await read(here, id, limited)).status).toBe(403)
  const cancelled = await call(cancel, { ports: here.ports, as: limited, path: { id } })
  expect(cancelled.status).toBe(403)
  expect(await listed(here, limited)).toEqual([])
  const local = present(await here.ports.hosts.find('local'))
  await here.ports.hosts.replace({ ...local, tags: ['lab'] })
  expect((await read(here, id, limited)).json).toMatchObject({ id, by: 'operator' })
  expect(await listed(here, limited)).toEqual([id])
})

test('403: who lost the permission of the work does not read its record, nor cancel it', async () => {
  const here = pullingWorld()
  const as = await givenRole(here, ['images:pull', 'images:read'])
  const id = await started(here, as)
  expect((await read(here, id, as)).status).toBe(200)
  const role = present(await here.ports.roles.find(as.role))
  await here.ports.roles.replace({ ...role, permissions: ['images:read'] })
  const refused = await read(here, id, as)
  expect([refused.status, refused.json.error]).toEqual([
    403,
    `operation ${id}: it needs images:pull`,
  ])
  expect((await call(cancel, { ports: here.ports, as, path: { id } })).status).toBe(403)
  expect(await listed(here, as)).toEqual([])
  expect(await listed(here, 'viewer')).toEqual([])
})

test('404: there is no such operation', async () => {
  const here = world()
  expect((await read(here, 'none')).status).toBe(404)
  expect(
    (await call(cancel, { ports: here.ports, as: 'admin', path: { id: 'none' } })).status,
  ).toBe(404)
})

test('401: no credential', async () => {
  const { ports } = world()
  for (const endpoint of [get, cancel]) {
    expect((await call(endpoint, { ports, path: { id: 'x' } })).status).toBe(401)
  }
  expect((await call(list, { ports })).status).toBe(401)
})

test('202: a cancelled pull ends as interrupted, and a second cancel is a 409', async () => {
  const here = pullingWorld()
  const id = await started(here)
  const request = { ports: here.ports, as: 'admin', path: { id } } as const
  const { status, json, headers } = await call(cancel, request)
  expect([status, json.status, headers.location]).toEqual([
    202,
    'running',
    `/api/v1/operations/${id}`,
  ])
  here.ports.clock.advance(1_001)
  await here.ports.background.settled()
  expect((await read(here, id)).json).toMatchObject({
    status: 'interrupted',
    error: 'cancelled by admin',
    reason: 'conflict',
  })
  expect((await rowsOf(here)).at(-1)).toMatchObject({ id, outcome: 'failed' })
  const again = await call(cancel, request)
  expect([again.status, again.headers['x-error-reason']]).toEqual([409, 'conflict'])
})

test('409: a prune cannot be cancelled', async () => {
  const here = world()
  const { id } = await givenDead(here, { kind: 'image_prune' })
  const answer = await call(cancel, { ports: here.ports, as: 'admin', path: { id } })
  expect([answer.status, answer.json.error]).toEqual([
    409,
    `operation ${id}: an operation of the kind image_prune cannot be cancelled`,
  ])
})

test('a shutdown ends a pull as interrupted', async () => {
  const here = pullingWorld()
  const id = await started(here)
  here.ports.background.abort()
  await here.ports.background.settled()
  expect((await read(here, id)).json).toMatchObject({
    status: 'interrupted',
    error: 'the service was stopped while this was running',
    reason: 'overloaded',
  })
})

test('a pull whose process died is interrupted by another process once its lease expired', async () => {
  const here = world()
  const { id } = await givenDead(here)
  const peer = otherProcess(here)
  await recoverIn(peer)
  expect((await read(here, id)).json.status).toBe('running')
  here.ports.clock.advance(10_001)
  await Promise.all([recoverIn(peer), recoverIn(here.ports)])
  expect((await read(here, id)).json).toMatchObject({
    status: 'interrupted',
    error: 'the service ended while this was running',
  })
  expect((await rowsOf(here)).map(({ outcome, continues }) => [outcome, continues])).toEqual([
    ['failed', 'first-row'],
  ])
  await recoverIn(peer)
  expect(await rowsOf(here)).toHaveLength(1)
})

test('a process that stalled does not overwrite the end that another one recorded', async () => {
  const here = world()
  const dead = await givenDead(here)
  here.ports.clock.advance(10_001)
  await recoverIn(otherProcess(here))
  const late = { ...dead, status: 'succeeded' as const, finishedAt: here.ports.clock.now() }
  expect(await here.ports.operations.save(late)).toBe(false)
  expect((await read(here, dead.id)).json.status).toBe('interrupted')
})

test('writes the audit row of a pull whose process died before it could', async () => {
  const here = world()
  const ended = { status: 'succeeded', finishedAt: here.ports.clock.now() } as const
  const { id } = await givenDead(here, { ...ended, result: { tags: [image] } })
  here.ports.clock.advance(10_001)
  await recoverIn(otherProcess(here))
  expect(await rowsOf(here)).toMatchObject([{ id, outcome: 'succeeded' }])
  expect((await read(here, id)).json.result).toEqual({ tags: [image] })
  expect(await here.ports.operations.listOpen()).toEqual([])
})

test('two pulls at once are two operations, and both end', async () => {
  const here = pullingWorld()
  const ids = await Promise.all([started(here), started(here)])
  here.release()
  await here.ports.background.settled()
  for (const id of ids) expect((await read(here, id)).json.status).toBe('succeeded')
  expect(new Set(ids).size).toBe(2)
})

test('500: refuses a ninth operation of an account, and accepts it once one has ended', async () => {
  const here = pullingWorld()
  for (let count = 0; count < 8; count += 1) await started(here)
  const refused = await start(here)
  expect([refused.status, refused.headers['x-error-reason']]).toEqual([500, 'overloaded'])
  expect(await listed(here, 'operator')).toHaveLength(8)
  here.release()
  await here.ports.background.settled()
  await started(here)
})

test('403: a caller who loses the right to start an operation waits no longer for it', async () => {
  const here = pullingWorld()
  const { ports } = here
  const id = await started(here)
  const query = { wait_seconds: 55 }
  const waiting = call(get, { ports, as: 'operator', path: { id }, query })
  await read(here, id)
  const operator = present(await ports.accounts.findByUsername('operator'))
  await ports.accounts.replace({ ...operator, role: 'viewer' })
  expect((await waiting).status).toBe(403)
  here.release()
  await ports.background.settled()
})

test('200: wait_seconds waits for the end', async () => {
  const here = pullingWorld()
  const id = await started(here)
  const query = { wait_seconds: 55 }
  const waiting = call(get, { ports: here.ports, as: 'operator', path: { id }, query })
  expect((await read(here, id)).json.status).toBe('running')
  here.release()
  expect((await waiting).json).toMatchObject({ id, status: 'succeeded' })
})
