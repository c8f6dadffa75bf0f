import { afterEach, expect, test, vi } from 'vitest'
import type { Failure } from '../../../functions/core/errors.ts'
import { CallerDebts } from './caller-debts.ts'
import { FairQueue } from './queue.ts'

afterEach(() => {
  vi.useRealTimers()
})

const waits = { queued: 10_000, total: 50_000 }

const question = (name: string, caller: string, size: number, isBackground = false) => ({
  name,
  caller,
  size,
  isBackground,
  reject(_failure: Failure) {},
})

/**
 * Returns a queue on a clock that only the test advances, and what it rejected. Its worker is
 * ready.
 */
function timedQueue() {
  vi.useFakeTimers()
  const queue = new FairQueue<ReturnType<typeof question>>(waits)
  queue.isReady = true
  const rejected: string[] = []
  const messages: string[] = []
  const add = (name: string, caller: string, size = 5, isBackground = false) => {
    const reject = ({ status, reason, message }: Failure) => {
      rejected.push(`${name}: ${status} ${reason}`)
      messages.push(message)
    }
    queue.add({ ...question(name, caller, size, isBackground), reject })
  }
  return { queue, rejected, messages, add }
}

function order(queue: FairQueue<ReturnType<typeof question>>): string[] {
  const names: string[] = []
  for (let one = queue.next(); one; one = queue.next()) names.push(one.name)
  return names
}

test('takes the smallest first, equal sizes in order of arrival', () => {
  const queue = new FairQueue<ReturnType<typeof question>>(waits)
  queue.add(question('large', 'a', 500))
  queue.add(question('small', 'b', 5))
  queue.add(question('also small', 'a', 5))
  expect(order(queue)).toEqual(['small', 'also small', 'large'])
})

test('prefers callers that used less time, whatever the sizes', () => {
  const queue = new FairQueue<ReturnType<typeof question>>(waits)
  for (let index = 0; index < 50; index += 1) queue.add(question(`hostile ${index}`, 'attacker', 5))
  expect(queue.next()?.name).toBe('hostile 0')
  queue.debts.add('attacker', 1500)
  queue.add(question('honest', 'other', 50_000))
  expect(queue.next()?.name).toBe('honest')
  expect(order(queue)).toHaveLength(49)
})

test('halves the used time every ten seconds', () => {
  const debts = new CallerDebts()
  debts.add('a', 2000, 0)
  expect(debts.levelOf('a', 0)).toBe(4)
  expect(debts.levelOf('a', 10_000)).toBe(2)
  expect(debts.levelOf('a', 60_000)).toBe(0)
  expect(debts.levelOf('b', 0)).toBe(0)
})

test.each([
  ['many small questions', 5],
  ['large ones', 1024 * 1024],
])('a caller that fills the queue with %s delays only itself', (_name, size) => {
  const queue = new FairQueue<ReturnType<typeof question>>(waits)
  const rejected: string[] = []
  const ask = (name: string, caller: string, characters: number) =>
    queue.add({ ...question(name, caller, characters), reject: () => rejected.push(caller) })
  queue.add(question('own', '', 1000, true))
  for (let index = 0; index < 300; index += 1) ask(`hostile ${index}`, 'attacker', size)
  rejected.length = 0
  for (let index = 0; index < 20; index += 1) ask(`honest ${index}`, `other ${index}`, 100_000)
  expect(rejected.filter((caller) => caller !== 'attacker')).toEqual([])
  ask('one more', 'attacker', size)
  expect(rejected.at(-1)).toBe('attacker')
  const names = order(queue)
  expect(names).toHaveLength(new Set(names).size)
  expect(names).toEqual(expect.arrayContaining(['own', 'honest 0', 'honest 19', 'hostile 0']))
})

test('500: a caller waits for ten seconds, work in the background for as long as necessary', () => {
  const { queue, rejected, add } = timedQueue()
  add('request', 'a')
  add('resumed deployment', 'a', 5, true)
  vi.advanceTimersByTime(9_999)
  expect(rejected).toEqual([])
  vi.advanceTimersByTime(3_600_000)
  expect(rejected).toEqual(['request: 500 overloaded'])
  expect(order(queue)).toEqual(['resumed deployment'])
})

test.each([
  ['many', 5],
  ['large', 1024 * 1024],
])('%s questions of work in the background wait beside a full queue', (_name, size) => {
  const { queue, rejected, add } = timedQueue()
  for (let index = 0; index < 200; index += 1) add(`request ${index}`, 'a')
  for (let index = 0; index < 300; index += 1) add(`recovery ${index}`, '', size, true)
  expect(rejected).toEqual([])
  add('one more', 'a')
  expect(rejected).toEqual(['one more: 500 overloaded'])
  add('other', 'b')
  expect(rejected).toEqual(['one more: 500 overloaded', 'request 199: 500 overloaded'])
  const names = order(queue)
  expect(names.filter((name) => name.startsWith('recovery'))).toHaveLength(300)
  expect(names).toHaveLength(500)
})

test('work in the background that used much time lets callers go first', () => {
  const { queue, add } = timedQueue()
  for (let index = 0; index < 3; index += 1) add(`recovery ${index}`, '', 5, true)
  queue.debts.add('', 1500)
  add('request', 'a', 50_000)
  expect(order(queue)).toEqual(['request', 'recovery 0', 'recovery 1', 'recovery 2'])
})

test('work in the background takes every other turn once it has waited for ten seconds', () => {
  const { queue, add } = timedQueue()
  for (let index = 0; index < 3; index += 1) add(`recovery ${index}`, '', 5000 - index, true)
  vi.advanceTimersByTime(10_000)
  const taken: (string | undefined)[] = []
  for (let index = 0; index < 6; index += 1) {
    // Others are always first by their size.
    add(`request ${index}`, `caller ${index}`)
    taken.push(queue.next()?.name)
  }
  expect(taken.map((name) => name?.split(' ')[0])).toEqual([
    ...['recovery', 'request', 'recovery', 'request', 'recovery', 'request'],
  ])
  expect(taken[0]).toBe('recovery 0')
})

test('500: once the service stops, work in the background waits no longer than callers', () => {
  const { queue, rejected, add } = timedQueue()
  add('before', '', 5, true)
  vi.advanceTimersByTime(60_000)
  queue.limitWaits()
  add('after', '', 5, true)
  vi.advanceTimersByTime(9_999)
  expect(rejected).toEqual([])
  vi.advanceTimersByTime(1)
  expect(rejected).toEqual(['before: 500 overloaded', 'after: 500 overloaded'])
  expect(queue.isEmpty).toBe(true)
})

test('500: a caller waits for a worker that needs 15 s to start, and then for ten seconds', () => {
  const { queue, rejected, messages, add } = timedQueue()
  queue.isReady = false
  add('at the start', 'a')
  vi.advanceTimersByTime(15_000)
  expect(rejected).toEqual([])
  queue.isReady = true
  vi.advanceTimersByTime(9_999)
  expect(rejected).toEqual([])
  vi.advanceTimersByTime(1)
  expect(rejected).toEqual(['at the start: 500 overloaded'])
  expect(messages).toEqual(['too many compose files are being read: try again in a moment'])
})

test('500: a caller waits to its limit if the worker does not start, work in the background on', () => {
  const { queue, rejected, messages, add } = timedQueue()
  queue.isReady = false
  add('request', 'a')
  add('resumed deployment', '', 5, true)
  vi.advanceTimersByTime(49_999)
  expect(rejected).toEqual([])
  vi.advanceTimersByTime(3_600_000)
  expect(rejected).toEqual(['request: 500 overloaded'])
  expect(messages).toEqual([
    'the worker for compose files has not started yet: try again in a moment',
  ])
  expect(order(queue)).toEqual(['resumed deployment'])
})

test('500: callers wait for the worker that replaces one that was killed, to their limit in all', () => {
  const { queue, rejected, add } = timedQueue()
  add('request', 'a')
  for (let start = 0; start < 2; start += 1) {
    vi.advanceTimersByTime(9_000)
    queue.isReady = false
    vi.advanceTimersByTime(15_000)
    queue.isReady = true
  }
  // The worker is killed again and again, with questions of another caller.
  vi.advanceTimersByTime(1_999)
  expect(rejected).toEqual([])
  vi.advanceTimersByTime(1)
  expect(rejected).toEqual(['request: 500 overloaded'])
})

test('500: once the service stops, work in the background waits ten seconds for a worker', () => {
  const { queue, rejected, add } = timedQueue()
  queue.isReady = false
  add('before', '', 5, true)
  vi.advanceTimersByTime(60_000)
  queue.limitWaits()
  vi.advanceTimersByTime(9_999)
  expect(rejected).toEqual([])
  vi.advanceTimersByTime(1)
  expect(rejected).toEqual(['before: 500 overloaded'])
})
