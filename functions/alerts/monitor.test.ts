import { expect, test } from 'vitest'
import { memoryBackground } from '../../adapters/testing/memory/background.ts'
import { present } from '../../adapters/testing/present.ts'
import { givenHost, type World, world } from '../../local/harness/world.ts'
import { seriesIn, thin } from '../core/metrics/usage-points.ts'
import type { Leases } from '../core/ports/leases.ts'
import look from './monitor.ts'

/** Starts a process that monitors hosts, sharing the stores of a world. */
function processOf({ ports }: World, processId: string, leases: Leases = ports.leases) {
  const end = new AbortController()
  const own = { ...ports, background: memoryBackground(processId), leases }
  const done = look.with(own)(end.signal)
  return {
    async end() {
      end.abort()
      await done
    },
  }
}

/** Advances the clock by `seconds`, one at a time, and lets pending work run after each. */
async function pass({ ports }: World, seconds: number) {
  for (let second = 0; second < seconds; second += 1) {
    ports.clock.advance(1000)
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  }
}

const looks = async ({ ports }: World, hostId = 'local') =>
  (await ports.metricHistory.ofHost(hostId, 0)).length

test('one of two processes samples each host every 15 s', async () => {
  const here = world()
  const processes = [processOf(here, 'p1'), processOf(here, 'p2')]
  await pass(here, 61)
  expect(await looks(here)).toBe(5)
  await Promise.all(processes.map((one) => one.end()))
  expect(await here.ports.leases.peek('look:local')).toMatchObject({ held: false })
})

test('the sampling interval is a setting', async () => {
  const here = world()
  await here.ports.settings.save({ 'metrics.sample_seconds': 5 })
  const one = processOf(here, 'p1')
  await pass(here, 21)
  expect(await looks(here)).toBe(5)
  await one.end()
})

test('minutes are recorded by the process that samples a host, and continued by the next', async () => {
  const here = world()
  const begin = here.ports.clock.now()
  for (const name of ['p1', 'p2']) {
    const one = processOf(here, name)
    await pass(here, 125)
    await one.end()
  }
  const blocks = await here.ports.usageHistory.list('local', 'minute', 0)
  expect(new Set(blocks.map(({ mark }) => mark)).size).toBe(2)
  const [host] = seriesIn(blocks)
  const minutes = thin(present(host).points, 60_000).map(({ at }) => (at - begin) / 60_000)
  expect(minutes).toEqual([0, 1, 2, 3])
})

test('a history that cannot be stored does not stop samples and alerts', async () => {
  const here = world()
  here.ports.usageHistory.put = async () => {
    throw new Error('the store is full')
  }
  const one = processOf(here, 'p1')
  await pass(here, 91)
  expect(await looks(here)).toBe(7)
  await one.end()
})

test('another process takes over within 30 s if the sampling process dies', async () => {
  const here = world()
  let dead = false
  const { leases } = here.ports
  const mortal: Leases = {
    ...leases,
    acquire: async (...given) => (dead ? new Promise(() => {}) : leases.acquire(...given)),
  }
  processOf(here, 'p1', mortal)
  await pass(here, 3)
  const other = processOf(here, 'p2')
  await pass(here, 15)
  const before = await looks(here)
  dead = true
  await pass(here, 30)
  expect(await looks(here)).toBeGreaterThan(before)
  await other.end()
})

test('a host that does not respond does not delay others, and new hosts are sampled too', async () => {
  const here = world()
  const one = processOf(here, 'p1')
  const hanging = await givenHost(here, 'far')
  hanging.engine.sample = () => new Promise(() => {})
  await pass(here, 62)
  expect(await looks(here)).toBe(5)
  const far = await here.ports.metricHistory.ofHost('far', 0)
  expect(far.length).toBeGreaterThanOrEqual(3)
  expect(far.every(({ up }) => !up)).toBe(true)
  await one.end()
})

test('sampling resumes after an outage of the store', async () => {
  const here = world()
  let away = false
  const { leases } = here.ports
  const one = processOf(here, 'p1', {
    ...leases,
    acquire: async (...given) => {
      if (away) throw new Error('the store does not respond')
      return leases.acquire(...given)
    },
  })
  await pass(here, 5)
  away = true
  await pass(here, 60)
  away = false
  const before = await looks(here)
  await pass(here, 15)
  expect(await looks(here)).toBeGreaterThan(before)
  const said = here.ports.log.lines.filter(({ message }) => /could not be sampled/.test(message))
  expect(said).toHaveLength(1)
  await one.end()
})

test('reads shared records once for all hosts, and records without other writers once', async () => {
  const here = world()
  const { ports } = here
  for (let count = 0; count < 20; count += 1) await givenHost(here, `far-${count}`)
  const reads = { rules: 0, stacks: 0, jobs: 0, settings: 0, watches: 0, last: 0 }
  const counted = <T extends object>(store: T, method: keyof T, name: keyof typeof reads) => {
    const call = store[method] as (...given: unknown[]) => unknown
    const count = (...given: unknown[]) => {
      reads[name] += 1
      return call.apply(store, given)
    }
    Object.assign(store, { [method]: count })
  }
  counted(ports.alertRules, 'list', 'rules')
  counted(ports.stacks, 'list', 'stacks')
  counted(ports.backupJobs, 'list', 'jobs')
  counted(ports.settings, 'get', 'settings')
  counted(ports.hostWatches, 'find', 'watches')
  counted(ports.metricHistory, 'lastAt', 'last')
  const one = processOf(here, 'p1')
  await pass(here, 50)
  await one.end()
  expect(await looks(here, 'far-7')).toBe(4)
  // Four rounds. The watch is read again after its first write.
  expect(reads.last).toBe(21)
  expect(reads.watches).toBeLessThanOrEqual(42)
  const { rules, stacks, jobs, settings } = reads
  for (const shared of [rules, stacks, jobs, settings]) expect(shared).toBeLessThanOrEqual(8)
})
