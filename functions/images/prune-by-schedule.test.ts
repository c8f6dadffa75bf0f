import { expect, test } from 'vitest'
import { deployment } from '../../adapters/testing/contract/samples.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { nameImage } from '../../adapters/testing/memory/engine-images.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import {
  givenContainer,
  givenHost,
  givenStack,
  type World,
  world,
} from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import { firstState, stateId } from '../core/records/retention-state.ts'
import { observeClock } from '../core/retention/trusted-clock.ts'
import get from '../hosts/prune-policy/get.ts'
import preview from '../hosts/prune-policy/preview.ts'
import remove from '../hosts/prune-policy/remove.ts'
import update from '../hosts/prune-policy/update.ts'
import pruneBySchedule from './prune-by-schedule.ts'
import pull from './pull.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const daily = { schedule: '0 4 * * *', what: 'nameless' }
const unused = { schedule: '0 4 * * *', what: 'unused', unused_days: 3 }
const root = { username: 'rita', role: 'admin' }

async function save({ ports }: World, body: object, id = 'local') {
  const { status, text } = await call(update, { ports, as: root, path: { id }, body })
  if (status !== 200) throw new Error(text)
}

/** Runs the schedule every half an hour for a time, as the sweep that watches the clock does. */
async function pass({ ports }: World, time: number) {
  for (let left = time; left > 0; left -= 30 * minute) {
    ports.clock.advance(Math.min(left, 30 * minute))
    await run({ ports })
  }
}

/**
 * Passes the time until right before the next run, and then without the schedule until it is due.
 */
async function passUntilDue(here: World) {
  const { next_at } = await shown(here)
  await pass(here, Date.parse(next_at) - here.ports.clock.now() - minute)
  here.ports.clock.advance(minute)
}

async function run({ ports }: Pick<World, 'ports'>) {
  const found = await ports.retentionStates.find(stateId)
  const clock = observeClock(found?.clock, ports.clock.now())
  if (found) await ports.retentionStates.replace({ ...found, clock })
  else await ports.retentionStates.create(firstState(clock))
  await pruneBySchedule.with(ports)()
}

const shown = async ({ ports }: World, id = 'local') =>
  (await call(get, { ports, as: 'viewer', path: { id } })).json
const rows = async ({ ports }: World) =>
  (await ports.audit.list({ action: 'images.prune', limit: 50 })).rows.toReversed()
/** Gives an image a name, as a pull or tag on the host does. */
function name({ engine }: World, reference: string, id: string) {
  nameImage(engine.state, reference, id)
  engine.state.touch()
}

const tagsOf = ({ engine }: World) => [...engine.state.images.keys()]

test('removes nameless images at the time of the schedule, in its zone, as its account', async () => {
  const here = world()
  const { ports, engine } = here
  engine.state.unnamed.add('sha256:old')
  await save(here, { ...daily, timezone: 'Asia/Tokyo' })
  const { next_at } = await shown(here)
  expect(next_at).toMatch(/T19:00:00/)
  await pass(here, Date.parse(next_at) - ports.clock.now() - minute)
  expect(engine.state.unnamed.size).toBe(1)
  await pass(here, 2 * minute)
  expect([...engine.state.unnamed]).toEqual([])
  expect(await shown(here)).toMatchObject({
    last: { removed: 1, reclaimed_bytes: 1024, error: null },
    next_at: new Date(Date.parse(next_at) + day).toISOString(),
  })
  const [row, ...more] = await rows(here)
  expect([row, more]).toMatchObject([
    {
      action: 'images.prune.run',
      outcome: 'succeeded',
      username: 'rita',
      hosts: ['local'],
      values: { removed: '1', reclaimed_bytes: '1024', images: 'sha256:old' },
    },
    [],
  ])
})

test('what a stack needs to go back stays, and so do images with names', async () => {
  const here = world()
  const { ports, engine } = here
  await givenStack(here, 'shop', { deployed: false })
  const running = deployment('01', 'shop')
  await ports.deployments.create({ ...running, images: { web: 'sha256:a' } })
  for (const id of ['sha256:a', 'sha256:b']) engine.state.unnamed.add(id)
  const names = tagsOf(here)
  await save(here, daily)
  await pass(here, day)
  expect([[...engine.state.unnamed], tagsOf(here)]).toEqual([['sha256:a'], names])
})

test('removes an image once it was seen unused for so long, whatever its age', async () => {
  const here = world()
  name(here, 'old:1', 'sha256:1')
  await save(here, unused)
  await pass(here, 2 * day)
  name(here, 'new:1', 'sha256:2')
  await pass(here, 2 * day)
  expect(tagsOf(here)).toContain('new:1')
  expect(tagsOf(here)).not.toContain('old:1')
  await pass(here, 2 * day)
  expect(tagsOf(here)).not.toContain('new:1')
})

test('a container, another name and a pull by the service begin the time of an image again', async () => {
  const here = world()
  const { ports, engine } = here
  for (const at of [1, 2, 3]) name(here, `image:${at}`, `sha256:${at}`)
  name(here, 'nginx:1', 'sha256:4')
  const container = await givenContainer(here, 'job', { started: false })
  const busybox = present(engine.state.images.get('busybox:latest'))
  await save(here, unused)
  await pass(here, 2 * day)
  name(here, 'image:two', 'sha256:2')
  await call(pull, { ports, as: 'admin', body: { image: 'nginx:1' } })
  engine.state.containers.delete(container)
  engine.state.touch()
  await pass(here, 2 * day)
  expect(engine.state.images.get('busybox:latest')).toBe(busybox)
  const left = tagsOf(here).filter((name) => /^(image|nginx):/.test(name))
  expect(left.sort()).toEqual(['image:2', 'image:two', 'nginx:1'])
})

test('time in which the service was off, or that the clock skipped, does not count', async () => {
  const here = world()
  const { ports } = here
  name(here, 'old:1', 'sha256:1')
  await save(here, unused)
  await pass(here, day)
  ports.clock.advance(40 * day)
  await run(here)
  await pass(here, 71 * hour)
  expect(tagsOf(here)).toContain('old:1')
  ports.clock.advance(-40 * day)
  await run(here)
  await pass(here, 73 * hour)
  expect(tagsOf(here)).toContain('old:1')
  await pass(here, 3 * day)
  expect(tagsOf(here)).not.toContain('old:1')
})

test('one run makes up for those missed while the service was off, an hour later', async () => {
  const here = world()
  const { ports, engine } = here
  await save(here, daily)
  await run(here)
  engine.state.unnamed.add('sha256:old')
  ports.clock.advance(30 * hour)
  await run(here)
  expect(engine.state.unnamed.size).toBe(1)
  await pass(here, hour + minute)
  expect(engine.state.unnamed.size).toBe(0)
  engine.state.unnamed.add('sha256:new')
  await run(here)
  expect(engine.state.unnamed.size).toBe(1)
})

test('a host that does not respond is pruned once it does; others do not wait', async () => {
  const here = world()
  const far = await givenHost(here, 'far')
  for (const one of [here.engine, far.engine]) one.state.unnamed.add('sha256:old')
  await save(here, daily)
  await save(here, daily, 'far')
  far.off()
  await pass(here, day)
  expect([here.engine.state.unnamed.size, far.engine.state.unnamed.size]).toEqual([0, 1])
  expect((await shown(here, 'far')).last).toBe(null)
  far.engine.offline = undefined
  await run(here)
  expect(far.engine.state.unnamed.size).toBe(0)
})

test('a run that was killed in the middle goes on', async () => {
  const here = world()
  const { ports, engine } = here
  for (const id of ['sha256:1', 'sha256:2']) engine.state.unnamed.add(id)
  await save(here, daily)
  await passUntilDue(here)
  const { pruneImages } = engine
  const stop = new AbortController()
  engine.pruneImages = async ([first], ...rest) => {
    await pruneImages(first ? [first] : [], ...rest)
    stop.abort()
    throw stop.signal.reason
  }
  await pruneBySchedule.with(ports)(stop.signal)
  expect([engine.state.unnamed.size, (await shown(here)).last]).toEqual([1, null])
  engine.pruneImages = pruneImages
  await pass(here, 30 * hour)
  expect(engine.state.unnamed.size).toBe(0)
})

test('two processes at once remove once', async () => {
  const here = world()
  await save(here, daily)
  await passUntilDue(here)
  here.engine.state.unnamed.add('sha256:old')
  await Promise.all([1, 2].map(() => pruneBySchedule.with(here.ports)()))
  expect(here.engine.state.unnamed.size).toBe(0)
  expect((await rows(here)).map(({ values }) => values.removed)).toEqual(['1'])
  expect((await shown(here)).last).toMatchObject({ removed: 1 })
})

test('a build on the host delays a run', async () => {
  const here = world()
  const { ports, engine } = here
  await givenStack(here, 'shop', { deployed: false })
  engine.state.unnamed.add('sha256:half')
  const build = { action: 'build', kind: 'image', name: 'shop-web', reason: 'asked', ms: null }
  const building = {
    ...deployment('d1', 'shop'),
    steps: [{ ...build, status: 'running' as const }],
  }
  await ports.deployments.create(building)
  await save(here, daily)
  await pass(here, day)
  expect([engine.state.unnamed.size, (await shown(here)).last]).toEqual([1, null])
  await ports.deployments.save({ ...building, status: 'failed' })
  await run(here)
  expect(engine.state.unnamed.size).toBe(0)
})

test('an Engine that fails ends the run; the next one is at the next time', async () => {
  const here = world()
  const { ports, engine } = here
  engine.state.unnamed.add('sha256:old')
  engine.pruneImages = async () => {
    throw internalError('Removing failed: it is broken', { reason: 'engine-failed' })
  }
  await save(here, daily)
  await pass(here, day)
  const { last, next_at } = await shown(here)
  expect(last).toMatchObject({ removed: 0, error: 'Removing failed: it is broken' })
  expect(Date.parse(next_at)).toBeGreaterThan(ports.clock.now())
  expect(await rows(here)).toMatchObject([{ outcome: 'failed', values: { reason: last.error } }])
})

test('an account that lost a right blocks the policy, with an event, until it has it again', async () => {
  const here = world()
  const { ports, engine } = here
  engine.state.unnamed.add('sha256:old')
  await save(here, unused)
  const account = await accountOf(ports, root)
  await ports.accounts.replace({ ...account, role: 'operator' })
  await pass(here, 5 * day)
  const reason =
    'account rita does not have the permission stacks:privileged, which it needs for prunes'
  expect([engine.state.unnamed.size, (await shown(here)).blocked]).toEqual([1, reason])
  const now = await accountOf(ports, root)
  await ports.accounts.replace({ ...now, role: 'admin' })
  await run(here)
  expect((await rows(here)).map(({ action, values }) => [action, values.reason])).toEqual([
    ['images.prune.block', reason],
    ['images.prune.unblock', undefined],
  ])
  await pass(here, day)
  expect(engine.state.unnamed.size).toBe(0)
})

test('images of this service, volumes, and the policy of a host that is gone', async () => {
  const here = world()
  const { ports, engine } = here
  const far = await givenHost(here, 'far')
  await save(here, daily, 'far')
  engine.state.unnamed.add('sha256:own')
  engine.own = { ...engine.own, images: new Set(['sha256:own']) }
  await save(here, daily)
  await ports.hosts.remove('far')
  await pass(here, day)
  expect([...engine.state.unnamed]).toEqual(['sha256:own'])
  expect((await ports.prunePolicies.list()).map(({ id }) => id)).toEqual(['local'])
  expect(far.engine.executed).toEqual([])
})

test('a policy that is deleted removes nothing', async () => {
  const here = world()
  here.engine.state.unnamed.add('sha256:old')
  await save(here, daily)
  await call(remove, { ports: here.ports, as: root, path: { id: 'local' } })
  await pass(here, 2 * day)
  expect(here.engine.state.unnamed.size).toBe(1)
})

test('the preview names what the next run removes, what waits, and what stays', async () => {
  const here = world()
  const { ports } = here
  name(here, 'old:1', 'sha256:1')
  await save(here, { ...unused, unused_days: 1 })
  await pass(here, 8 * hour)
  name(here, 'new:1', 'sha256:2')
  const ask = async (query = {}) =>
    (await call(preview, { ports, as: 'viewer', path: { id: 'local' }, query })).json
  const names = (list: Json[]) => list.flatMap(({ tags }) => tags)
  const soon = await ask()
  expect(names(soon.waiting)).toContain('new:1')
  expect(soon.waiting.find(({ tags }: Json) => tags[0] === 'new:1').unused_since).toBe(null)
  await pass(here, 12 * hour)
  const now = await ask()
  expect(names(now.images)).toContain('old:1')
  const { next_at } = await shown(here)
  expect(now.run_at).toBe(next_at)
  await passUntilDue(here)
  await run(here)
  expect(names(now.images).filter((name) => tagsOf(here).includes(name))).toEqual([])
})
