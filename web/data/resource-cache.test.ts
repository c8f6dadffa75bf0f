import { expect, test } from 'vitest'
import { makeCache } from './resource-cache.ts'

/** A cache over responses that the test gives, in simulated time. */
function world() {
  let time = 0
  const timers = new Map<number, { at: number; work: () => void }>()
  let next = 1
  const asked: string[] = []
  const open: ((value: unknown) => void)[] = []
  const cache = makeCache({
    load: (path) => {
      asked.push(path)
      return new Promise((resolve, reject) =>
        open.push((value) => (value instanceof Error ? reject(value) : resolve(value))),
      )
    },
    now: () => time,
    setTimer: (work, milliseconds) => {
      timers.set(next, { at: time + milliseconds, work })
      return next++
    },
    clearTimer: (timer) => void timers.delete(timer as number),
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    cache,
    asked,
    stacks: () => cache.entry('/stacks', '/stacks', {}),
    async answer(value: unknown) {
      open.shift()?.(value)
      await settle()
    },
    async advance(milliseconds: number) {
      time += milliseconds
      for (const [id, { at, work }] of [...timers]) {
        if (at > time) continue
        timers.delete(id)
        work()
      }
      await settle()
    },
  }
}

test('readers of one address share one entry and one request', async () => {
  const { stacks, asked, answer } = world()
  stacks().retain()
  stacks().retain()
  expect(asked).toEqual(['/stacks'])
  expect(stacks().stale.value).toBe(true)
  await answer(['shop'])
  expect([stacks().value.value, stacks().stale.value]).toEqual([['shop'], false])
})

test('a hundred events in a second load it once more', async () => {
  const { stacks, asked, answer, advance } = world()
  stacks().retain()
  await answer(1)
  for (let event = 0; event < 100; event += 1) stacks().refresh()
  await advance(999)
  expect(asked).toHaveLength(1)
  await advance(1)
  expect(asked).toHaveLength(2)
  await answer(2)
  await advance(10_000)
  expect(asked).toHaveLength(2)
  expect(stacks().value.value).toBe(2)
})

test('an event while it is loaded makes that response stale, and loads it again', async () => {
  const { stacks, asked, answer, advance } = world()
  stacks().retain()
  stacks().refresh()
  await advance(1000)
  await answer('before the event')
  expect([stacks().value.value, stacks().stale.value]).toEqual(['before the event', true])
  expect(asked).toHaveLength(2)
  await answer('after it')
  expect([stacks().value.value, stacks().stale.value]).toEqual(['after it', false])
})

test('without readers nothing is loaded; the next reader loads what changed', async () => {
  const { stacks, asked, answer, advance } = world()
  const release = stacks().retain()
  await answer(1)
  release()
  release()
  stacks().refresh()
  await advance(60_000)
  expect(asked).toHaveLength(1)
  stacks().retain()
  expect(asked).toHaveLength(2)
  expect(stacks().value.value).toBe(1)
})

test('an entry without readers for 5 minutes is removed, unless a reader comes in between', async () => {
  const { cache, stacks, answer, advance } = world()
  const release = stacks().retain()
  await answer(1)
  release()
  await advance(299_000)
  const again = stacks().retain()
  await advance(300_000)
  expect([...cache.entries()]).toHaveLength(1)
  again()
  await advance(300_000)
  expect([...cache.entries()]).toHaveLength(0)
})

test('a failure keeps the old value and has a problem, which the next success clears', async () => {
  const { stacks, answer, advance } = world()
  stacks().retain()
  await answer(['shop'])
  stacks().refresh()
  await advance(1000)
  await answer(new Error('no line'))
  expect(stacks().value.value).toEqual(['shop'])
  expect(stacks().problem.value).toEqual({ status: 0, error: 'no line' })
  expect(stacks().stale.value).toBe(true)
  stacks().retain()
  await answer(['shop', 'blog'])
  expect(stacks().problem.value).toBeUndefined()
})

/** A part of a list that a test answers for. */
function part() {
  let answer: (change: (value: unknown) => unknown) => void = () => {}
  let fail: (error: Error) => void = () => {}
  const load = () =>
    new Promise<(value: unknown) => unknown>((resolve, reject) => {
      answer = resolve
      fail = reject
    })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    load,
    async put(what: string) {
      answer((list) => [...(list as string[]), what])
      await settle()
    },
    async fail() {
      fail(new Error('gone'))
      await settle()
    },
  }
}

test('one event loads one part; a burst loads the whole once more', async () => {
  const { stacks, asked, answer, advance } = world()
  stacks().retain()
  await answer(['all'])
  await advance(5_000)
  const one = part()
  stacks().refreshPart('a', one.load)
  await one.put('a')
  expect([asked.length, stacks().value.value]).toEqual([1, ['all', 'a']])
  for (let event = 0; event < 50; event += 1) stacks().refreshPart(`${event}`, part().load)
  await advance(0)
  expect(asked).toHaveLength(2)
  await answer(['newer'])
  expect([stacks().value.value, stacks().stale.value]).toEqual([['newer'], false])
})

test('a part that is older than another load of it, or than the whole, is dropped', async () => {
  const { stacks, answer, advance } = world()
  stacks().retain()
  await answer(['all'])
  await advance(5_000)
  const [older, newer, late] = [part(), part(), part()]
  stacks().refreshPart('a', older.load)
  stacks().refreshPart('a', newer.load)
  await newer.put('second')
  await older.put('first')
  expect(stacks().value.value).toEqual(['all', 'second'])
  stacks().refreshPart('a', late.load)
  void stacks().reload()
  await answer(['whole'])
  await late.put('third')
  expect(stacks().value.value).toEqual(['whole'])
})

test('a part that cannot be loaded, or comes while the whole is outdated, loads the whole', async () => {
  const { stacks, asked, answer, advance } = world()
  const release = stacks().retain()
  stacks().refreshPart('early', part().load)
  await answer(['first'])
  await advance(1_000)
  expect(asked).toHaveLength(2)
  await answer(['second'])
  await advance(5_000)
  const gone = part()
  stacks().refreshPart('a', gone.load)
  await gone.fail()
  await advance(0)
  expect(asked).toHaveLength(3)
  await answer(['third'])
  release()
  stacks().refreshPart('a', part().load)
  await advance(5_000)
  expect(asked).toHaveLength(3)
  stacks().retain()
  expect(asked).toHaveLength(4)
})
