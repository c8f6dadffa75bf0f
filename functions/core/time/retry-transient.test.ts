import { expect, test } from 'vitest'
import { memoryClock } from '../../../adapters/testing/memory/clock.ts'
import { internalError, unprocessable } from '../errors.ts'
import { retryTransient } from './retry-transient.ts'

const busy = () => internalError('the Engine did not respond', { reason: 'engine-busy' })

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Starts work that fails with each of these errors, in turn, before it succeeds. */
function retrying(...errors: Error[]) {
  const clock = memoryClock()
  const refusals: unknown[] = []
  const stop = new AbortController()
  let tries = 0
  const work = async () => {
    const error = errors[tries]
    tries += 1
    if (error) throw error
    return 'done'
  }
  const onRefusal = (error: unknown) => refusals.push(error)
  const options = { signal: stop.signal, onRefusal }
  const result = retryTransient(work, options, { clock }).catch(({ message }) => message)
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      await settled()
      clock.advance(1000)
    }
    await settled()
  }
  return { result, stop, refusals, pass, tries: () => tries }
}

test('repeats work that is refused for now, and tells the first refusal', async () => {
  const { result, pass, tries, refusals } = retrying(busy(), busy())
  await pass(9)
  expect(tries()).toBe(2)
  await pass(1)
  expect(await result).toBe('done')
  expect(refusals).toMatchObject([{ reason: 'engine-busy' }])
})

test('gives up after a minute, with the last refusal', async () => {
  const { result, pass, tries } = retrying(...Array.from({ length: 99 }, busy))
  await pass(60)
  expect([await result, tries()]).toEqual(['the Engine did not respond', 13])
})

test('does not repeat work that failed for good', async () => {
  const { result, tries, refusals } = retrying(unprocessable('too large', { reason: 'limit' }))
  expect([await result, tries(), refusals]).toEqual(['too large', 1, []])
})

test('ends while it waits when its signal is aborted', async () => {
  const { result, stop, pass, tries } = retrying(busy())
  await pass(1)
  stop.abort(new Error('the service stops'))
  expect([await result, tries()]).toEqual(['the service stops', 1])
})
