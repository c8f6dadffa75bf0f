import { expect, test } from 'vitest'
import { sharedStreams } from '../feeds/shared-streams.ts'
import { Broadcast, TooSlow } from './broadcast.ts'

interface Numbered {
  size: number
  number: number
}

const kibibyte = 1024
const piece = (number: number, size = 16 * kibibyte): Numbered => ({ number, size })
const never = () => new AbortController().signal

function broadcast() {
  const left: string[] = []
  const out = new Broadcast<Numbered>(() => left.push('unused'))
  return { out, left }
}

async function taken(follower: AsyncIterator<Numbered>, count: number): Promise<number[]> {
  const numbers: number[] = []
  while (numbers.length < count) numbers.push((await follower.next()).value.number)
  return numbers
}

test('each subscriber receives everything published since it subscribed, in order, then the end', async () => {
  const { out } = broadcast()
  const early = out.subscribe(never())
  out.publish(piece(1))
  const late = out.subscribe(never())
  out.publish(piece(2))
  out.end()
  expect(await taken(early, 2)).toEqual([1, 2])
  expect(await taken(late, 1)).toEqual([2])
  for (const follower of [early, late]) expect((await follower.next()).done).toBe(true)
})

test('an error follows after the queued items', async () => {
  const { out } = broadcast()
  const follower = out.subscribe(never())
  out.publish(piece(1))
  out.end(new Error('lost'))
  expect(await taken(follower, 1)).toEqual([1])
  await expect(follower.next()).rejects.toThrow('lost')
})

test('the source pauses while all subscribers are behind, and resumes with the first that catches up', async () => {
  const { out } = broadcast()
  const [one, other] = [out.subscribe(never()), out.subscribe(never())]
  for (let number = 0; number < 5; number += 1) out.publish(piece(number))
  let isResting = true
  const ready = out.ready()?.then(() => {
    isResting = false
  })
  expect(ready).toBeDefined()
  await Promise.resolve()
  expect(isResting).toBe(true)
  await one.next()
  await ready
  expect(isResting).toBe(false)
  expect(out.ready()).toBeUndefined()
  await other.return?.()
})

test('two sources of one broadcast both pause and resume', async () => {
  const { out } = broadcast()
  const follower = out.subscribe(never())
  for (let number = 0; number < 5; number += 1) out.publish(piece(number))
  const resting = Promise.all([out.ready(), out.ready()])
  await taken(follower, 5)
  await resting
})

test('a paused source resumes and completes without subscribers', async () => {
  const { out } = broadcast()
  const follower = out.subscribe(never())
  for (let number = 0; number < 5; number += 1) out.publish(piece(number))
  const resting = out.ready()
  await follower.return()
  await resting
  expect(out.ready()).toBeUndefined()
})

test('cuts off a slow subscriber, even if all are behind after each burst', async () => {
  const { out } = broadcast()
  const [fast, slow] = [out.subscribe(never()), out.subscribe(never())]
  for (let number = 0; number < 100; number += 1) {
    out.publish(piece(number, 40 * kibibyte))
    out.publish(piece(number, 40 * kibibyte))
    await taken(fast, 2)
  }
  await expect(slow.next()).rejects.toThrow(TooSlow)
})

test('cuts off a subscriber 1 MiB behind the others, which lose nothing', async () => {
  const { out } = broadcast()
  const [fast, slow] = [out.subscribe(never()), out.subscribe(never())]
  for (let number = 0; number < 100; number += 1) {
    out.publish(piece(number))
    await out.ready()
    expect((await fast.next()).value.number).toBe(number)
  }
  await expect(slow.next()).rejects.toThrow(TooSlow)
  expect((await slow.next()).done).toBe(true)
})

test('does not cut off a subscriber that is alone', async () => {
  const { out } = broadcast()
  const follower = out.subscribe(never())
  let published = 0
  const source = (async () => {
    for (; published < 1000; published += 1) {
      out.publish(piece(published))
      await out.ready()
    }
    out.end()
  })()
  await Promise.resolve()
  expect(published).toBeLessThan(10)
  const all = await taken(follower, 1000)
  await source
  expect(all).toEqual(Array.from({ length: 1000 }, (_, number) => number))
})

test('a signal ends a waiting subscriber, and the last one to leave is reported', async () => {
  const { out, left } = broadcast()
  const stop = new AbortController()
  const [one, other] = [out.subscribe(stop.signal), out.subscribe(never())]
  const waiting = one.next()
  stop.abort()
  expect((await waiting).done).toBe(true)
  expect(left).toEqual([])
  await other.return?.()
  expect(left).toEqual(['unused'])
  const aborted = out.subscribe(AbortSignal.abort())
  expect((await aborted.next()).done).toBe(true)
})

test('a stream starts with its first subscriber, ends with its last, and can start again', async () => {
  const streams = sharedStreams()
  const begun: AbortSignal[] = []
  const follow = (signal = never()) =>
    streams.subscribe<Numbered>(
      'one',
      async (out, stop) => {
        begun.push(stop)
        out.publish(piece(begun.length))
        await new Promise((resolve) => stop.addEventListener('abort', resolve))
      },
      signal,
    )
  const first = follow()
  expect(await taken(first, 1)).toEqual([1])
  expect(streams.hasStarted('one')).toBe(true)
  const second = follow()
  expect([begun.length, streams.size]).toEqual([1, 1])
  await Promise.all([first.return?.(), second.return?.()])
  expect([begun[0]?.aborted, streams.size]).toEqual([true, 0])
  expect(await taken(follow(), 1)).toEqual([2])
})

test('an error of the source reaches the subscribers, and the next subscriber starts again', async () => {
  const streams = sharedStreams()
  let count = 0
  const follow = () =>
    streams.subscribe<Numbered>(
      'one',
      async () => {
        count += 1
        throw new Error(`failure ${count}`)
      },
      never(),
    )
  await expect(follow().next()).rejects.toThrow('failure 1')
  await expect(follow().next()).rejects.toThrow('failure 2')
  expect(streams.size).toBe(0)
})
