import { expect, test } from 'vitest'
import { CallerTurns, turnsOfOneCaller } from './caller-turns.ts'

/** Work that runs until the test ends it. */
function openWork() {
  let begun = 0
  const ends: (() => void)[] = []
  const work = () => {
    begun += 1
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  return { work, begun: () => begun, endOne: () => ends.shift()?.() }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('an account has a few requests carried out at a time, and the next when one ends', async () => {
  const turns = new CallerTurns()
  const { work, begun, endOne } = openWork()
  for (let count = 0; count < turnsOfOneCaller + 5; count += 1) void turns.run('ann', work)
  await settled()
  expect(begun()).toBe(turnsOfOneCaller)
  endOne()
  await settled()
  expect(begun()).toBe(turnsOfOneCaller + 1)
})

test('the requests of one account do not keep those of another waiting', async () => {
  const turns = new CallerTurns()
  const { work } = openWork()
  for (let count = 0; count < 100; count += 1) void turns.run('ann', work)
  expect(await turns.run('bob', async () => 'done')).toBe('done')
})

test('too many waiting requests are refused, and later ones are taken again', async () => {
  const turns = new CallerTurns()
  const { work, endOne } = openWork()
  for (let count = 0; count < turnsOfOneCaller + 200; count += 1) void turns.run('ann', work)
  await expect(turns.run('ann', async () => {})).rejects.toMatchObject({
    status: 500,
    message: expect.stringContaining('216 open requests'),
  })
  endOne()
  await settled()
  const next = turns.run('ann', async () => 'taken')
  for (let count = 0; count < turnsOfOneCaller + 200; count += 1) {
    endOne()
    await settled()
  }
  expect(await next).toBe('taken')
})

test('a request that fails gives its turn back', async () => {
  const turns = new CallerTurns()
  const fail = () => Promise.reject(new Error('no'))
  const failing = Array.from({ length: 100 }, () => turns.run('ann', fail))
  const results = await Promise.allSettled(failing)
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(await turns.run('ann', async () => 'done')).toBe('done')
})
