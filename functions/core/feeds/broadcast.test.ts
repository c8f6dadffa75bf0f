import { expect, test } from 'vitest'
import { Broadcast, TooSlow } from './broadcast.ts'
import { sharedStreams } from './streams.ts'

interface Numbered {
  size: number
  number: number
}

const kibibyte = 1024
const piece = (number: number, size = 16 * kibibyte): Numbered => ({ number, size })
const never = () => new AbortController().signal

function broadcast() {
  const left: string[] = []
  const out = new Broadcast<Numbered>(() => left.push('deserted'))
  return { out, left }
}

async function taken(follower: AsyncIterator<Numbered>, count: number): Promise<number[]> {
  const numbers: number[] = []
  while (numbers.length < count) numbers.push((await follower.next()).value.number)
  return numbers
}

test('each follower gets what was published since it came, in order, and the end', async () => {
  const { out } = broadcast()
  const early = out.follow(never())
  out.publish(piece(1))
  const late = out.follow(never())
  out.publish(piece(2))
  out.end()
  expect(await taken(early, 2)).toEqual([1, 2])
  expect(await taken(late, 1)).toEqual([2])
  for (const follower of [early, late]) expect((await follower.next()).done).toBe(true)
})

test('an error comes after what is left', async () => {
  const { out } = broadcast()
  const follower = out.follow(never())
  out.publish(piece(1))
  out.end(new Error('lost'))
  expect(await taken(follower, 1)).toEqual([1])
  await expect(follower.next()).rejects.toThrow('lost')
})

test('the source rests while all followers are behind, and goes on with the first that is not', async () => {
  const { out } = broadcast()
  const [one, other] = [out.follow(never()), out.follow(never())]
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

test('of two that bring to one broadcast both rest, and both go on', async () => {
  const { out } = broadcast()
  const follower = out.follow(never())
  for (let number = 0; number < 5; number += 1) out.publish(piece(number))
  const resting = Promise.all([out.ready(), out.ready()])
  await taken(follower, 5)
  await resting
})

test('a source that rests goes on when nobody follows any more: to its end', async () => {
  const { out } = broadcast()
  const follower = out.follow(never())
  for (let number = 0; number < 5; number += 1) out.publish(piece(number))
  const resting = out.ready()
  await follower.return()
  await resting
  expect(out.ready()).toBeUndefined()
})

test('who is behind is cut off also when all are behind after each burst', async () => {
  const { out } = broadcast()
  const [fast, slow] = [out.follow(never()), out.follow(never())]
  for (let number = 0; number < 100; number += 1) {
    out.publish(piece(number, 40 * kibibyte))
    out.publish(piece(number, 40 * kibibyte))
    await taken(fast, 2)
  }
  await expect(slow.next()).rejects.toThrow(TooSlow)
})

test('who stays a mebibyte behind the others is cut off; they lose nothing', async () => {
  const { out } = broadcast()
  const [fast, slow] = [out.follow(never()), out.follow(never())]
  for (let number = 0; number < 100; number += 1) {
    out.publish(piece(number))
    await out.ready()
    expect((await fast.next()).value.number).toBe(number)
  }
  await expect(slow.next()).rejects.toThrow(TooSlow)
  expect((await slow.next()).done).toBe(true)
})

test('nobody is cut off for being behind alone', async () => {
  const { out } = broadcast()
  const follower = out.follow(never())
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

test('a signal ends a follower that waits; the last to leave is noticed', async () => {
  const { out, left } = broadcast()
  const stop = new AbortController()
  const [one, other] = [out.follow(stop.signal), out.follow(never())]
  const waiting = one.next()
  stop.abort()
  expect((await waiting).done).toBe(true)
  expect(left).toEqual([])
  await other.return?.()
  expect(left).toEqual(['deserted'])
  const aborted = out.follow(AbortSignal.abort())
  expect((await aborted.next()).done).toBe(true)
})

test('a stream is begun by its first follower and ended by its last, and begun anew after that', async () => {
  const streams = sharedStreams()
  const begun: AbortSignal[] = []
  const follow = (signal = never()) =>
    streams.follow<Numbered>(
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
  expect(streams.begun('one')).toBe(true)
  const second = follow()
  expect([begun.length, streams.size]).toEqual([1, 1])
  await Promise.all([first.return?.(), second.return?.()])
  expect([begun[0]?.aborted, streams.size]).toEqual([true, 0])
  expect(await taken(follow(), 1)).toEqual([2])
})

test('what a source throws reaches its followers, and the next begins anew', async () => {
  const streams = sharedStreams()
  let count = 0
  const follow = () =>
    streams.follow<Numbered>(
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
