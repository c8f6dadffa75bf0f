import { expect, test } from 'vitest'
import { must } from '../../compose/must.ts'
import { sharedReads } from './shared-reads.ts'

/** Reads that end when they are told to. */
function reads() {
  const ends: ((fail?: Error) => void)[] = []
  const read = () =>
    new Promise<number>((resolve, reject) => {
      const number = ends.length + 1
      ends.push((fail) => (fail ? reject(fail) : resolve(number)))
    })
  const end = (index: number, fail?: Error) => must(ends[index], 'read')(fail)
  return { ends, end, read }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('callers that come while a read runs share the next one, not the one that runs', async () => {
  const share = sharedReads()
  const { ends, end, read } = reads()
  const first = share('a', read)
  const second = share('a', read)
  const third = share('a', read)
  await settled()
  expect(ends).toHaveLength(1)
  end(0)
  expect(await first).toBe(1)
  await settled()
  const fourth = share('a', read)
  expect(ends).toHaveLength(2)
  end(1)
  expect(await Promise.all([second, third])).toEqual([2, 2])
  await settled()
  end(2)
  expect(await fourth).toBe(3)
})

test('other keys do not wait, and a read that fails does not fail the next one', async () => {
  const share = sharedReads()
  const { end, read } = reads()
  const first = share('a', read)
  const second = share('a', read)
  const other = share('b', read)
  end(1)
  expect(await other).toBe(2)
  end(0, new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  await settled()
  end(2)
  expect(await second).toBe(3)
})
