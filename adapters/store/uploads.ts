import { createHash } from 'node:crypto'
import { internalError } from '../../functions/core/errors.ts'
import { ignoreError } from '../../functions/core/ignore-error.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import type { Uploads } from '../../functions/core/ports/uploads.ts'
import { markHandled } from '../../functions/core/promises.ts'
import type { Upload } from '../../functions/core/records/upload.ts'
import { type Item, type Key, newRevision, packed, ttlAt, unpacked } from './item.ts'
import { open, type SecretKeys, seal } from './sealed.ts'
import { absent, type Table } from './table.ts'

/** Bytes of a part per item. An item can have at most 400 KB, including attribute names. */
const chunkBytes = 350 * 1024

/** Chunks written concurrently. */
const writersMax = 2

/**
 * Stores uploads. An upload is an item (`adoption#<id>`, `head`; named after the first kind of
 * upload), and an item in the list of its account (`uploads#<account>`, id). A part is split into
 * encrypted chunks (`adoption#<id>#<part>`, `<set>#<number>`). Its mark (`adoption#<id>`,
 * `part#<part>`) is written last and names the set of chunks, so a part exists completely or not at
 * all. If several writers store the same part, the last mark wins and the other chunks are removed.
 * Only a few chunks are in flight at a time, to bound memory.
 */
export function storedUploads(table: Table, clock: Clock, keys: SecretKeys): Uploads {
  const marks = async (id: string) =>
    (await table.query(keyOf(id))).filter(({ sk }) => sk.startsWith('part#'))
  const find = async (id: string) => {
    const item = await table.get(keyOf(id), 'head')
    const upload = item && unpacked<Upload>(item)
    return upload && upload.expiresAt > clock.now() ? upload : undefined
  }
  const removeParts = async (id: string) => {
    const gone = await marks(id)
    await table.removeMany([...gone.flatMap(chunksOf), ...gone])
  }
  return {
    find,
    async save(upload) {
      const { id, accountId } = upload
      const ttl = ttlAt(upload.expiresAt)
      // First the list: an upload that is missing in it could not be found to be removed.
      await table.put({ pk: listOf(accountId), sk: id, ttl })
      await table.put({ pk: keyOf(id), sk: 'head', ttl, ...packed(upload) })
    },
    async listByAccount(accountId) {
      const listed = await table.query(listOf(accountId))
      const found = await Promise.all(listed.map(({ sk }) => find(sk)))
      return found.flatMap((upload) => upload ?? [])
    },
    async remove({ id, accountId }) {
      await table.removeMany([{ pk: keyOf(id), sk: 'head' }])
      await removeParts(id)
      await table.removeMany([{ pk: listOf(accountId), sk: id }])
    },
    async putPart(upload, part, bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex')
      const before = await table.get(keyOf(upload.id), markOf(part))
      if (before?.hash === hash) return
      const mark = { ...(await writeChunks(table, keys, upload, part, bytes)), hash }
      const instead = await putMark(table, mark, before)
      if (instead) await table.removeMany(chunksOf(instead))
    },
    async received(id) {
      return (await marks(id)).map(({ part }) => part as number)
    },
    async *readPart(id, part) {
      const mark = await table.get(keyOf(id), markOf(part))
      if (!mark) throw internalError('A part of the bundle is missing')
      const places = chunksOf(mark)
      let next = readChunk(table, places[0])
      for (const [index, { pk, sk }] of places.entries()) {
        const chunk = await next
        // Reads ahead while this chunk is processed.
        next = markHandled(readChunk(table, places[index + 1]))
        yield open(keys, mark.key as string, chunk, `${pk} ${sk}`)
      }
    },
    removeParts,
  }
}

/**
 * Encrypts a part with the current key. Returns false if the part has changed or is gone. The old
 * chunks stay until they expire, because they may be being read.
 */
export async function resealPart(table: Table, keys: SecretKeys, mark: Item): Promise<boolean> {
  const id = mark.pk.slice('adoption#'.length)
  const bytes = await partOf(table, keys, mark).catch(ignoreError('encrypt a part again'))
  if (!bytes) return false
  const expiresAt = (mark.ttl as number) * 1000
  const next = await writeChunks(table, keys, { id, expiresAt }, mark.part as number, bytes)
  const unchanged = { if: '#set = :seen', values: { seen: mark.set as string } }
  const replaced = await table.put({ ...next, hash: mark.hash }, unchanged)
  if (!replaced) await table.removeMany(chunksOf(next))
  return replaced
}

async function partOf(table: Table, keys: SecretKeys, mark: Item): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for (const { pk, sk } of chunksOf(mark)) {
    const chunk = await readChunk(table, { pk, sk })
    chunks.push(open(keys, mark.key as string, chunk, `${pk} ${sk}`))
  }
  return Buffer.concat(chunks)
}

async function readChunk(table: Table, place: Key | undefined): Promise<Uint8Array> {
  if (!place) return new Uint8Array()
  const item = await table.get(place.pk, place.sk)
  if (!item) throw internalError('A part of the bundle is missing')
  return item.chunk as Uint8Array
}

/**
 * Writes a part's mark in place of `before`. Returns the mark whose chunks are no longer
 * referenced.
 */
async function putMark(
  table: Table,
  mark: Item,
  before: Item | undefined,
): Promise<Item | undefined> {
  const same = before && { if: '#set = :set', values: { set: before.set as string } }
  if (await table.put(mark, same ?? absent)) return before
  const now = await table.get(mark.pk, mark.sk)
  // The mark was removed meanwhile, written by an earlier try of this put, or written by another
  // writer.
  if (now?.set === mark.set) return before
  return now?.hash === mark.hash ? mark : putMark(table, mark, now)
}

async function writeChunks(
  table: Table,
  keys: SecretKeys,
  { id, expiresAt }: Pick<Upload, 'id' | 'expiresAt'>,
  part: number,
  bytes: Uint8Array,
): Promise<Item> {
  const key = keys.current
  const ttl = ttlAt(expiresAt)
  const set = String(newRevision())
  const chunks = Math.ceil(bytes.length / chunkBytes)
  const mark = { pk: keyOf(id), sk: markOf(part), ttl, part, set, chunks, key }
  const places = chunksOf(mark).entries()
  const write = async () => {
    for (const [index, place] of places) {
      const plain = bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)
      const chunk = seal(keys, key, plain, `${place.pk} ${place.sk}`)
      await table.put({ ...place, ttl, chunk })
    }
  }
  await Promise.all(Array.from({ length: writersMax }, write))
  return mark
}

/** Returns the keys of a part's chunks. */
function chunksOf({ pk, part, set, chunks }: Item) {
  return Array.from({ length: chunks as number }, (_, index) => ({
    pk: `${pk}#${part}`,
    sk: `${set}#${String(index).padStart(4, '0')}`,
  }))
}

const listOf = (accountId: string) => `uploads#${accountId}`
const keyOf = (id: string) => `adoption#${id}`
const markOf = (part: number) => `part#${String(part).padStart(5, '0')}`
