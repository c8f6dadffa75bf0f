import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fullDisk, fullDiskProblem } from '../../adapters/node/process/disk.ts'
import { sqliteStore } from '../../adapters/sqlite/store.ts'

/** Returns a directory on a file system of a few megabytes, which the test removes. */
function smallDisk(): string {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', directory])
  onTestFinished(() => {
    execFileSync('umount', [directory])
    rmSync(directory, { recursive: true })
  })
  return directory
}

test('a full disk fails writes with its reason, loses nothing, and passes', async () => {
  const directory = smallDisk()
  writeFileSync(join(directory, 'filler'), Buffer.alloc(2 * 1024 * 1024))
  const store = sqliteStore({
    file: join(directory, 'sqlite', 'store.db'),
    explain: async (isCertain) => (isCertain ? fullDisk : fullDiskProblem(directory)),
  })
  onTestFinished(async () => store.close())
  await store.ensure()
  const written: string[] = []
  const fill = async () => {
    for (;;) {
      const sk = String(written.length)
      await store.items.put({ pk: 'p', sk, data: new Uint8Array(100_000) })
      written.push(sk)
    }
  }
  const failure = { status: 500, message: fullDisk, reason: 'disk-full' }
  await expect(fill()).rejects.toMatchObject(failure)
  expect(written.length).toBeGreaterThan(5)
  // A write that waits with others is acknowledged only when it is on disk.
  const together = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) =>
      store.items.put({ pk: 'q', sk: String(index), data: new Uint8Array(300_000) }),
    ),
  )
  expect(together.every(({ status }) => status === 'rejected')).toBe(true)
  const found = await store.items.query('p', { attributes: [] })
  expect(found.map(({ sk }) => sk).sort()).toEqual([...written].sort())
  expect(await store.items.query('q')).toEqual([])
  rmSync(join(directory, 'filler'))
  expect(await store.items.put({ pk: 'p', sk: 'later' })).toBe(true)
})
