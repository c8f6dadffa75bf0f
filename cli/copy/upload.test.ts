import { expect, test } from 'vitest'
import { checkArchive } from '../../functions/core/container-files/check-archive.ts'
import type { Client } from '../api/client.ts'
import { type Entry, upload } from './upload.ts'

/** Uploads entries, and returns the archives that were sent. The service accepts each of them. */
async function archivesOf(entries: Iterable<Entry>): Promise<Buffer[]> {
  const sent: Buffer[] = []
  const put = async (_path: string, { body }: { body: { data: string } }) => {
    const archive = Buffer.from(body.data, 'base64')
    await checkArchive(archive)
    sent.push(archive)
  }
  async function* source() {
    yield* entries
  }
  await upload({ put } as unknown as Client, source(), { id: 'web', host: 'local', path: '/' })
  return sent
}

function* files(count: number, nameOf: (index: number) => string): Generator<Entry> {
  const data = Buffer.alloc(0)
  for (let index = 0; index < count; index += 1) yield { name: nameOf(index), mode: 0o644, data }
}

test('sends 10,001 tiny files as two archives, as the service takes 10,000 entries', async () => {
  expect(await archivesOf(files(10_000, String))).toHaveLength(1)
  expect(await archivesOf(files(10_001, String))).toHaveLength(2)
})

test('counts the second header of a long name, so that no archive is too large', async () => {
  const sent = await archivesOf(files(9000, (index) => `${index}${'ü'.repeat(300)}`))
  expect(sent).toHaveLength(2)
  for (const { length } of sent) expect(length).toBeLessThanOrEqual(16 * 1024 * 1024)
})
