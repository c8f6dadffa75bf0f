import { expect, test } from 'vitest'
import { inLanes } from './in-lanes.ts'

test('runs as many pieces of work at a time as there are lanes, and each once', async () => {
  const inTurn = inLanes(2)
  const running = new Set<number>()
  let most = 0
  const work = (piece: number) =>
    inTurn(async () => {
      running.add(piece)
      most = Math.max(most, running.size)
      await new Promise((resolve) => setImmediate(resolve))
      running.delete(piece)
      return piece
    })
  expect(await Promise.all([1, 2, 3, 4, 5].map(work))).toEqual([1, 2, 3, 4, 5])
  expect(most).toBe(2)
})

test('work that fails delays no other', async () => {
  const inTurn = inLanes(1)
  const failing = inTurn(async () => {
    throw new Error('no')
  })
  const next = inTurn(async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})
