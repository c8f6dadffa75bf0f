import { expect, test } from 'vitest'
import { snapshot } from './snapshot.ts'

/** Returns a source whose reads the test answers. */
function source(lifetime = Number.POSITIVE_INFINITY) {
  const asked: { answer(text: string): void; fail(error: Error): void }[] = []
  const kept = snapshot({
    fetch: () =>
      new Promise<string>((answer, fail) => {
        asked.push({ answer, fail })
      }),
    parse: (text) => ({ text }),
    lifetime: () => lifetime,
  })
  return { asked, kept }
}

test('caches a value until it is invalidated', async () => {
  const { asked, kept } = source()
  const both = [kept.get(), kept.get()]
  asked[0]?.answer('one')
  const [first, second] = await Promise.all(both)
  expect(first).toEqual({ text: 'one' })
  expect(second).toBe(first)
  expect(await kept.get()).toBe(first)
  expect(asked.length).toBe(1)
  kept.invalidate()
  const next = kept.get()
  asked[1]?.answer('two')
  expect(await next).toEqual({ text: 'two' })
})

test('does not return a read started before an invalidation', async () => {
  const { asked, kept } = source()
  const before = kept.get()
  kept.invalidate()
  const after = kept.get()
  asked[1]?.answer('new')
  asked[0]?.answer('old')
  expect(await before).toEqual({ text: 'old' })
  expect(await after).toEqual({ text: 'new' })
  expect(await kept.get()).toEqual({ text: 'new' })
})

test('returns the same object for the same text', async () => {
  const { asked, kept } = source()
  const first = kept.get()
  asked[0]?.answer('same')
  kept.invalidate()
  const second = kept.get()
  asked[1]?.answer('same')
  expect(await second).toBe(await first)
})

test('caches no value beyond its lifetime, and no error', async () => {
  const short = source(0)
  const first = short.kept.get()
  short.asked[0]?.answer('one')
  await first
  short.kept.get()
  expect(short.asked.length).toBe(2)

  const { asked, kept } = source()
  const failed = kept.get()
  asked[0]?.fail(new Error('no response'))
  await expect(failed).rejects.toThrow('no response')
  const again = kept.get()
  asked[1]?.answer('one')
  expect(await again).toEqual({ text: 'one' })
})
