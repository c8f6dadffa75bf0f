import { expect, test } from 'vitest'
import { systemArchive } from '../../../functions/core/backups/system/system-archive.ts'
import { checkArchive } from './check.ts'

const never = new AbortController().signal

/** Returns an archive of a service whose store has that format. */
function archiveOf(readableBy: number) {
  const number = (value: number) => ({ N: String(value) })
  const Item = {
    pk: { S: 'store-format' },
    sk: { S: '-' },
    rev: number(1),
    version: { S: '0.9.0' },
    readableBy: number(readableBy),
    writtenBy: number(1),
  }
  const lines = Buffer.from(`${JSON.stringify({ Item })}\n`)
  async function* items() {
    yield { table: 'items' as const, count: 1, lines }
  }
  return systemArchive({ files: async () => [], items }, { now: () => 0 }, never)
}

test('accepts a backup whose store this version can read', async () => {
  expect((await checkArchive(archiveOf(1))).counts.items).toBe(1)
})

test('422: a newer version made the backup, with another format of the store', async () => {
  await expect(checkArchive(archiveOf(99))).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('Version 0.9.0 of the service has changed the store'),
  })
})
