import { createHash } from 'node:crypto'
import type { Adoption } from '../../functions/core/adopt/adoption.ts'
import type { Adoptions } from '../../functions/core/adopt/ports.ts'
import { broken } from '../../functions/core/errors.ts'
import { started } from '../../functions/core/promises.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { type Item, type Key, newRevision, packed, ttlAt, unpacked } from './item.ts'
import { open, type SecretKeys, seal } from './sealed.ts'
import { absent, type Table } from './table.ts'

/** The most bytes of a part in one item: an item ends at 400 KB, names and all. */
const chunkBytes = 350 * 1024

/** Chunks that are written at a time. */
const writersMax = 2

/**
 * An adoption is an item (`adoption#<id>`, `head`). A part is cut into chunks and encrypted (`adoption#<id>#<part>`,
 * `<set>#<number>`), and there once its mark is (`adoption#<id>`, `part#<part>`), which names the set that belongs to it: a part
 * is there whole or not at all. Of several writers of a part the one whose mark is written has it, and the others take their
 * chunks away. A few chunks are under way at a time, so that little of a bundle is in memory.
 */
export function dynamoAdoptions(table: Table, clock: Clock, keys: SecretKeys): Adoptions {
  const marks = async (id: string) =>
    (await table.query(keyOf(id))).filter(({ sk }) => sk.startsWith('part#'))
  return {
    async find(id) {
      const item = await table.get(keyOf(id), 'head')
      const adoption = item && unpacked<Adoption>(item)
      return adoption && adoption.expiresAt > clock.now() ? adoption : undefined
    },
    async save(adoption) {
      const ttl = ttlAt(adoption.expiresAt)
      await table.put({ pk: keyOf(adoption.id), sk: 'head', ttl, ...packed(adoption) })
    },
    async putPart(adoption, part, bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex')
      const before = await table.get(keyOf(adoption.id), markOf(part))
      if (before?.hash === hash) return
      const mark = { ...(await writeChunks(table, keys, adoption, part, bytes)), hash }
      const instead = await putMark(table, mark, before)
      if (instead) await table.removeMany(chunksOf(instead))
    },
    async received(id) {
      return (await marks(id)).map(({ part }) => part as number)
    },
    async *readPart(id, part) {
      const mark = await table.get(keyOf(id), markOf(part))
      if (!mark) throw broken('A part of the bundle is missing')
      const places = chunksOf(mark)
      let next = readChunk(table, places[0])
      for (const [index, { pk, sk }] of places.entries()) {
        const chunk = await next
        // The next comes while this one is worked on.
        next = started(readChunk(table, places[index + 1]))
        yield open(keys, mark.key as string, chunk, `${pk} ${sk}`)
      }
    },
    async removeParts(id) {
      const gone = await marks(id)
      await table.removeMany([...gone.flatMap(chunksOf), ...gone])
    },
  }
}

/**
 * Encrypts a part with the current key. False when the part is another one by now, or gone. The chunks of before stay until
 * they expire: somebody may be reading them.
 */
export async function resealPart(table: Table, keys: SecretKeys, mark: Item): Promise<boolean> {
  const id = mark.pk.slice('adoption#'.length)
  const bytes = await partOf(table, keys, mark).catch(() => undefined)
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
  if (!item) throw broken('A part of the bundle is missing')
  return item.chunk as Uint8Array
}

/** Writes a part's mark in place of the one before, and gives the mark whose chunks are now nobody's. */
async function putMark(
  table: Table,
  mark: Item,
  before: Item | undefined,
): Promise<Item | undefined> {
  const same = before && { if: '#set = :set', values: { set: before.set as string } }
  if (await table.put(mark, same ?? absent)) return before
  const now = await table.get(mark.pk, mark.sk)
  // Removed meanwhile, or a repeated put that met its own first try, or another writer's.
  if (now?.set === mark.set) return before
  return now?.hash === mark.hash ? mark : putMark(table, mark, now)
}

async function writeChunks(
  table: Table,
  keys: SecretKeys,
  { id, expiresAt }: Pick<Adoption, 'id' | 'expiresAt'>,
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

/** The keys of a part's chunks, by its mark. */
function chunksOf({ pk, part, set, chunks }: Item) {
  return Array.from({ length: chunks as number }, (_, index) => ({
    pk: `${pk}#${part}`,
    sk: `${set}#${String(index).padStart(4, '0')}`,
  }))
}

const keyOf = (id: string) => `adoption#${id}`
const markOf = (part: number) => `part#${String(part).padStart(5, '0')}`
