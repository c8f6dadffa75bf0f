import { createHash } from 'node:crypto'
import type { Adoption } from '../../functions/core/adopt/adoption.ts'
import type { Adoptions } from '../../functions/core/adopt/ports.ts'
import { broken } from '../../functions/core/errors.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { type Item, newRevision, packed, ttlAt, unpacked } from './item.ts'
import { open, type SecretKeys, seal } from './sealed.ts'
import type { Table } from './table.ts'

/** The most bytes of a part in one item: an item ends at 400 KB, names and all. */
const chunkBytes = 350 * 1024

/**
 * An adoption is an item (`adoption#<id>`, `head`). A part is cut into chunks and encrypted (`adoption#<id>#<part>`,
 * `<set>#<number>`), and there once its mark is (`adoption#<id>`, `part#<part>`), which names the set that belongs to it: a part
 * is there whole or not at all. Chunks are written one after the other, so that little of a bundle is in memory at a time.
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
      const mark = await writeChunks(table, keys, adoption, part, bytes)
      await table.put({ ...mark, hash })
      if (before) await table.removeMany(chunksOf(before))
    },
    async received(id) {
      return (await marks(id)).map(({ part }) => part as number)
    },
    async getPart(id, part) {
      const read = async () => {
        const mark = await table.get(keyOf(id), markOf(part))
        if (!mark) throw broken('A part of the bundle is missing')
        return partOf(table, keys, mark)
      }
      // Once more: it may have been encrypted anew while it was read.
      return read().catch(read)
    },
    async removeParts(id) {
      const gone = await marks(id)
      await table.removeMany([...gone.flatMap(chunksOf), ...gone])
    },
  }
}

/** Encrypts a part with the current key. False when the part is another one by now, or gone. */
export async function resealPart(table: Table, keys: SecretKeys, mark: Item): Promise<boolean> {
  const id = mark.pk.slice('adoption#'.length)
  const bytes = await partOf(table, keys, mark).catch(() => undefined)
  if (!bytes) return false
  const expiresAt = (mark.ttl as number) * 1000
  const next = await writeChunks(table, keys, { id, expiresAt }, mark.part as number, bytes)
  const unchanged = { if: '#set = :seen', values: { seen: mark.set as string } }
  const replaced = await table.put({ ...next, hash: mark.hash }, unchanged)
  await table.removeMany(chunksOf(replaced ? mark : next))
  return replaced
}

async function partOf(table: Table, keys: SecretKeys, mark: Item): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for (const { pk, sk } of chunksOf(mark)) {
    const item = await table.get(pk, sk)
    if (!item) throw broken('A part of the bundle is missing')
    chunks.push(open(keys, mark.key as string, item.chunk as Uint8Array, `${pk} ${sk}`))
  }
  return Buffer.concat(chunks)
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
  for (const [index, place] of chunksOf(mark).entries()) {
    const plain = bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)
    const chunk = seal(keys, key, plain, `${place.pk} ${place.sk}`)
    await table.put({ ...place, ttl, chunk })
  }
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
