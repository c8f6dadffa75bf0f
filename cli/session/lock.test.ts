import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withFileLock } from './lock.ts'

async function place() {
  const directory = await mkdtemp(join(tmpdir(), 'lock-'))
  const file = join(directory, 'config.json')
  return {
    directory,
    file,
    leave: (mark: object | string) =>
      writeFile(`${file}.lock`, typeof mark === 'string' ? mark : JSON.stringify(mark)),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  }
}

/** Runs many at once and returns the largest number that held the lock together. */
async function crowd(file: string, size: number) {
  let inside = 0
  let most = 0
  const one = () =>
    withFileLock(file, async () => {
      inside += 1
      most = Math.max(most, inside)
      await new Promise((resolve) => setImmediate(resolve))
      inside -= 1
    })
  await Promise.all(Array.from({ length: size }, one))
  return most
}

test('runs one at a time and leaves nothing behind', async () => {
  await using at = await place()
  expect(await crowd(at.file, 20)).toBe(1)
  expect(await readdir(at.directory)).toEqual([])
})

// Larger than any process id on Linux or macOS.
const dead = { id: 'gone', pid: 2 ** 30, host: hostname() }

test('one process takes over the lock of a dead process', async () => {
  await using at = await place()
  await at.leave(dead)
  expect(await crowd(at.file, 20)).toBe(1)
  expect(await readdir(at.directory)).toEqual([])
})

test.each([
  ['of another machine', { id: 'far', pid: 1, host: 'elsewhere' }],
  ['that was cut short', '{"id":'],
  ['that is empty', ''],
])('an old lock %s is taken over', async (_, mark) => {
  await using at = await place()
  await at.leave(mark)
  const past = new Date(Date.now() - 120_000)
  await utimes(`${at.file}.lock`, past, past)
  expect(await crowd(at.file, 5)).toBe(1)
})

test('releases the lock after an error', async () => {
  await using at = await place()
  await expect(withFileLock(at.file, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await withFileLock(at.file, async () => 'yes')).toBe('yes')
})
