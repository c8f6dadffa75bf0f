import { expect, test } from 'vitest'
import { beforeSearchEnds } from './log-search.ts'

const never = () => new AbortController()

/** Settles only when it is ended. */
const endless = (stop: AbortSignal) =>
  new Promise<never>((_, reject) => {
    stop.addEventListener('abort', () => reject(stop.reason), { once: true })
  })

test('a search that finds nothing in time is ended', async () => {
  expect(await beforeSearchEnds(never().signal, 10, endless)).toBeUndefined()
})

test('what was found in time may take longer, and errors are passed on', async () => {
  const search = async (_: AbortSignal, found: () => void) => {
    found()
    await new Promise((resolve) => setTimeout(resolve, 50))
    return 'lines'
  }
  expect(await beforeSearchEnds(never().signal, 10, search)).toBe('lines')
  const failing = () => Promise.reject(new Error('refused'))
  await expect(beforeSearchEnds(never().signal, 10, failing)).rejects.toThrow('refused')
})

test('ends with the signal of the caller', async () => {
  const stop = never()
  const searching = beforeSearchEnds(stop.signal, 5000, endless)
  stop.abort(new Error('cancelled'))
  await expect(searching).rejects.toThrow('cancelled')
})
