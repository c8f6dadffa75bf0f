import { expect, test } from 'vitest'
import { CallerQueues, logsPerCaller, requestsPerCaller } from './caller-queues.ts'

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

test('runs a limited number of requests of an account at a time', async () => {
  const turns = new CallerQueues()
  const { work, begun, endOne } = openWork()
  for (let count = 0; count < requestsPerCaller + 5; count += 1) void turns.run('ann', work)
  await settled()
  expect(begun()).toBe(requestsPerCaller)
  endOne()
  await settled()
  expect(begun()).toBe(requestsPerCaller + 1)
})

test('the requests of one account do not delay those of another', async () => {
  const turns = new CallerQueues()
  const { work } = openWork()
  for (let count = 0; count < 100; count += 1) void turns.run('ann', work)
  expect(await turns.run('bob', async () => 'done')).toBe('done')
})

test('rejects requests beyond the queue limit and accepts new ones once it has room', async () => {
  const turns = new CallerQueues()
  const { work, endOne } = openWork()
  for (let count = 0; count < requestsPerCaller + 200; count += 1) void turns.run('ann', work)
  await expect(turns.run('ann', async () => {})).rejects.toMatchObject({
    status: 500,
    message: expect.stringContaining('216 open requests'),
  })
  endOne()
  await settled()
  const next = turns.run('ann', async () => 'taken')
  for (let count = 0; count < requestsPerCaller + 200; count += 1) {
    endOne()
    await settled()
  }
  expect(await next).toBe('taken')
})

test('a failed request frees its place', async () => {
  const turns = new CallerQueues()
  const fail = () => Promise.reject(new Error('no'))
  const failing = Array.from({ length: 100 }, () => turns.run('ann', fail))
  const results = await Promise.allSettled(failing)
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(await turns.run('ann', async () => 'done')).toBe('done')
})

test('refuses a ninth operation of an account in the background until one has ended', () => {
  const turns = new CallerQueues()
  const ends = Array.from({ length: 8 }, () => turns.startInBackground('ann'))
  expect(() => turns.startInBackground('ann')).toThrow(
    'your account already has 8 operations under way',
  )
  const endOther = turns.startInBackground('bob')
  ends[0]?.()
  ends[0] = turns.startInBackground('ann')
  expect(() => turns.startInBackground('ann')).toThrow()
  endOther()
  for (const end of ends) end()
  expect(() => turns.startInBackground('ann')()).not.toThrow()
})

test('refuses operations in the background beyond the limit of the service', () => {
  const turns = new CallerQueues()
  for (let count = 0; count < 32; count += 1) turns.startInBackground(`user-${count}`)
  expect(() => turns.startInBackground('ann')).toThrow('the service already has 32 operations')
})

test('refuses whole logs beyond the limit of an account until some have been read', () => {
  const turns = new CallerQueues()
  const end = turns.startReading('ann', logsPerCaller - 1)
  const endOne = turns.startReading('ann', 1)
  expect(() => turns.startReading('ann', 1)).toThrow('your account already reads many whole logs')
  turns.startReading('bob', 1)()
  endOne()
  endOne()
  expect(() => turns.startReading('ann', 2)).toThrow()
  turns.startReading('ann', 1)()
  end()
  expect(() => turns.startReading('ann', 2)).not.toThrow()
})

test('a stack with more containers than the limit can be read, alone', () => {
  const turns = new CallerQueues()
  const end = turns.startReading('ann', logsPerCaller + 1)
  expect(() => turns.startReading('ann', 1)).toThrow()
  end()
  expect(() => turns.startReading('ann', logsPerCaller + 1)).not.toThrow()
})

test('refuses whole logs beyond the limit of the service', () => {
  const turns = new CallerQueues()
  for (let count = 0; count < 5; count += 1) turns.startReading(`user-${count}`, logsPerCaller)
  expect(() => turns.startReading('ann', 1)).toThrow('the service already reads many whole logs')
})

test('refuses more waiting requests of an account than its limit until one has ended', () => {
  const turns = new CallerQueues()
  const ends = Array.from({ length: 100 }, () => turns.startWaiting('ann'))
  expect(() => turns.startWaiting('ann')).toThrow('your account has 100 open requests')
  turns.startWaiting('bob')()
  ends.pop()?.()
  ends.push(turns.startWaiting('ann'))
  expect(() => turns.startWaiting('ann')).toThrow()
  for (const end of ends) end()
  expect(() => turns.startWaiting('ann')()).not.toThrow()
})
