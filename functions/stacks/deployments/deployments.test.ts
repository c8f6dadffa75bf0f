import { expect, test } from 'vitest'
import { deployment } from '../../../adapters/testing/contract/samples.ts'
import type { Json } from '../../../adapters/testing/json.ts'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { givenStack, type World, world } from '../../../local/harness/world.ts'
import { CallerQueues, requestsPerCaller } from '../../core/access/caller-queues.ts'
import deploy from '../deploy.ts'
import stop from '../stop.ts'
import get from './get.ts'
import list from './list.ts'

const path = { name: 'shop' }

const counts = new WeakMap<object, { finds: number }>()

/** Counts how often deployments are read from now on, and returns how often they were. */
function reads({ ports: { deployments } }: World): number {
  const known = counts.get(deployments)
  if (known) return known.finds
  const count = { finds: 0 }
  counts.set(deployments, count)
  const { find } = deployments
  deployments.find = (...given) => {
    count.finds += 1
    return find(...given)
  }
  return 0
}

test('200: lists the newest first', async () => {
  const here = world()
  await givenStack(here)
  here.ports.clock.advance(1000)
  await call(stop, { ports: here.ports, as: 'operator', path })
  const { status, json } = await call(list, { ports: here.ports, as: 'viewer', path })
  expect(status).toBe(200)
  expect(json.map((one: Json) => [one.kind, one.status])).toEqual([
    ['stop', 'succeeded'],
    ['deploy', 'succeeded'],
  ])
})

test('200: lists the deployments of a time range', async () => {
  const { ports, ...here } = world()
  await givenStack({ ports, ...here })
  ports.clock.advance(60_000)
  await call(stop, { ports, as: 'operator', path })
  const kinds = async (query: Record<string, string>) =>
    (await call(list, { ports, as: 'viewer', path, query })).json.map(({ kind }: Json) => kind)
  const between = new Date(ports.clock.now() - 30_000).toISOString()
  expect(await kinds({ until: between })).toEqual(['deploy'])
  expect(await kinds({ since: between })).toEqual(['stop'])
  expect(await kinds({ since: between, until: between })).toEqual([])
})

test('200: returns a deployment', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'viewer' as const }
  const [{ id }] = (await call(list, { ...asked, path })).json
  const { status, json } = await call(get, { ...asked, path: { ...path, id } })
  expect([status, json.id]).toEqual([200, id])
})

/** Adds deployments of the stack, of which several begin in one millisecond. */
async function withMany(count: number) {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { ports } = here
  for (let index = 0; index < count; index += 1) {
    const changed = index % 3 === 0 ? { kind: 'restart' as const } : { status: 'failed' as const }
    await ports.deployments.create({
      ...deployment(ports.random.id(), 'shop'),
      steps: [step],
      status: 'succeeded',
      ...changed,
    })
    if (index % 7 === 0) ports.clock.advance(1)
  }
  return here
}

const step = {
  action: 'start',
  kind: 'container',
  name: 'shop-web-1',
  reason: 'stopped',
  status: 'done' as const,
  ms: 1,
}

test('200: before, or the link, reaches each deployment once', async () => {
  const { ports } = await withMany(450)
  const page = (asked: string) => call(list, { ports, as: 'viewer', path, query: asked })
  const seen: string[] = []
  let query: string | undefined = 'steps=false'
  for (let part = 0; query !== undefined; part += 1) {
    const { json, headers } = await page(query)
    seen.push(...json.map(({ id }: Json) => id))
    expect(json).toHaveLength([200, 200, 50][part] ?? 0)
    const last = json.at(-1).id
    const next: string = `?steps=false&before=${last}`
    expect(headers.link).toBe(part < 2 ? `<${next}>; rel="next"` : undefined)
    query = headers.link && next.slice(1)
    await ports.deployments.create(deployment(ports.random.id(), 'shop'))
  }
  expect(new Set(seen).size).toBe(450)
  expect(seen).toEqual([...seen].sort().reverse())
})

test('200: before an id that no deployment has', async () => {
  const { ports } = await withMany(3)
  const all = (await call(list, { ports, as: 'viewer', path })).json
  const query = { before: all[1].id }
  await ports.deployments.removeEnded('shop', all[1].id)
  const { json, headers } = await call(list, { ports, as: 'viewer', path, query })
  expect(json.map(({ id }: Json) => id)).toEqual([all[2].id])
  expect(headers).not.toHaveProperty('link')
})

test('200: status and kind choose before the cap, and steps=false leaves out the steps', async () => {
  const { ports } = await withMany(301)
  const ask = async (query: object) =>
    call(list, { ports, as: 'viewer', path, query: { ...query } })
  const restarts = await ask({ kind: 'restart' })
  expect([restarts.json.length, restarts.headers.link]).toEqual([101, undefined])
  expect((await ask({ kind: 'restart', status: 'failed' })).json).toEqual([])
  expect((await ask({ status: 'failed' })).json).toHaveLength(200)
  const [heads, whole] = [await ask({ steps: false }), await ask({})]
  expect(heads.json).toEqual(whole.json.map((one: Json) => ({ ...one, steps: [] })))
  expect(whole.json[0].steps).toHaveLength(1)
})

test.each([{ before: '' }, { before: 'a b' }, { kind: 'no' }, { status: 'no' }, { steps: 'no' }])(
  '400: %j',
  async (query) => {
    const { ports } = await withMany(1)
    expect((await call(list, { ports, as: 'viewer', path, query: { ...query } })).status).toBe(400)
  },
)

/** Starts a deploy whose first step waits until the returned function is called. */
async function heldDeploy(here: World) {
  await givenStack(here)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const { execute } = here.engine
  here.engine.execute = async (...given) => {
    await held
    return execute(...given)
  }
  const query = { wait: false }
  const body = { force_recreate: true }
  const { json } = await call(deploy, { ports: here.ports, as: 'operator', path, query, body })
  return { id: json.id as string, release }
}

test('200: wait_seconds waits for the end, also of what another process runs', async () => {
  const here = world()
  const { id, release } = await heldDeploy(here)
  const asked = { ports: here.ports, as: 'viewer' as const, path: { ...path, id } }
  let isAnswered = false
  const waiting = call(get, { ...asked, query: { wait_seconds: 55 } }).finally(() => {
    isAnswered = true
  })
  await expect.poll(() => reads(here)).toBeGreaterThan(1)
  expect(isAnswered).toBe(false)
  release()
  expect((await waiting).json).toMatchObject({ id, status: 'succeeded' })
  const before = reads(here)
  await call(get, { ...asked, query: { wait_seconds: 55 } })
  expect(reads(here) - before).toBe(1)
})

test('200: after wait_seconds, or when the service stops, it is returned as it is', async () => {
  const here = world()
  const { id, release } = await heldDeploy(here)
  const asked = { ports: here.ports, as: 'viewer' as const, path: { ...path, id } }
  const timed = call(get, { ...asked, query: { wait_seconds: 2 } })
  await expect.poll(() => reads(here)).toBeGreaterThan(0)
  here.ports.clock.advance(2_000)
  expect((await timed).json.status).toBe('running')
  const stopped = call(get, { ...asked, query: { wait_seconds: 55 } })
  here.ports.background.stop()
  expect((await stopped).json.status).toBe('running')
  release()
  await here.ports.background.settled()
})

test('200: requests that wait do not keep the others of their caller waiting', async () => {
  const here = world()
  const { id, release } = await heldDeploy(here)
  const ports = { ...here.ports, callerLimiter: new CallerQueues() }
  const asked = { ports, as: 'viewer' as const, path: { ...path, id } }
  const waiting = Array.from({ length: 2 * requestsPerCaller }, () =>
    call(get, { ...asked, query: { wait_seconds: 55 } }),
  )
  await expect.poll(() => reads(here)).toBeGreaterThan(2 * requestsPerCaller)
  expect((await call(list, { ports, as: 'viewer', path })).status).toBe(200)
  release()
  const ended = await Promise.all(waiting)
  expect(new Set(ended.map(({ json }) => json.status))).toEqual(new Set(['succeeded']))
})

test.each([
  ['a role without the permission', { role: 'none' }, 403, /permission stacks:read/],
  ['another scope', { scopeTags: ['lab'] }, 403, /scope was changed while the request waited/],
  ['a disabled account', { disabled: true }, 401, /invalid/],
])('a request that waits ends with %s', async (_, change, status, text) => {
  const here = world()
  const { id, release } = await heldDeploy(here)
  const { ports } = here
  await ports.roles.create({ id: 'none', permissions: [], createdAt: 0 })
  const query = { wait_seconds: 55 }
  const waiting = call(get, { ports, as: 'viewer', path: { ...path, id }, query })
  await expect.poll(() => reads(here)).toBeGreaterThan(1)
  const viewer = present(await ports.accounts.findByUsername('viewer'))
  await ports.accounts.replace({ ...viewer, ...change })
  const ended = await waiting
  expect([ended.status, ended.json.error]).toEqual([status, expect.stringMatching(text)])
  release()
  await ports.background.settled()
})

test('400: wait_seconds above 55', async () => {
  const asked = { ...world(), as: 'viewer' as const, path: { ...path, id: 'x' } }
  expect((await call(get, { ...asked, query: { wait_seconds: 56 } })).status).toBe(400)
})

test('404: a deployment that does not exist is not waited for', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'viewer' as const, path: { ...path, id: 'none' } }
  expect((await call(get, { ...asked, query: { wait_seconds: 55 } })).status).toBe(404)
})
