import { existsSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from './temporary-directory.ts'

/** Stands for a process that a signal can end. */
function ending() {
  const listeners = new Set<() => void>()
  const onEnd = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return { onEnd, listeners }
}

test('is for this user alone, and goes with its files', async () => {
  const { onEnd, listeners } = ending()
  const { path, remove } = await temporaryDirectory('cli-test-', { onEnd })
  writeFileSync(join(path, 'a'), 'secret')
  expect((await stat(path)).mode & 0o777).toBe(0o700)
  await remove()
  expect([existsSync(path), listeners.size]).toEqual([false, 0])
})

test('goes when a signal ends the program', async () => {
  const { onEnd, listeners } = ending()
  const { path } = await temporaryDirectory('cli-test-', { onEnd })
  writeFileSync(join(path, 'a'), 'secret')
  for (const listener of listeners) listener()
  expect(existsSync(path)).toBe(false)
})
