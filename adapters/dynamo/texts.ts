import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { broken, Failure } from '../../functions/core/errors.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import type { Texts } from '../../functions/core/stacks/ports.ts'
import { type Item, newRevision } from './item.ts'
import { leftBehindAfter } from './leftovers.ts'
import { digestOf, open, type SecretKeys, seal } from './sealed.ts'
import { absent, type Table } from './table.ts'

/** Bytes of a text per item. An item can have at most 400 KB, including attribute names. */
const chunkBytes = 350 * 1024

/**
 * Milliseconds. A text stored less than this ago is not renewed: no sweep removes a text within a
 * day.
 */
const renewAfter = 3_600_000

/**
 * Milliseconds. After a longer pause between writing the chunks and the head, the chunks may have
 * been removed.
 */
const pausedMax = leftBehindAfter / 2

/** The index partition of the heads of all texts, sorted by digest. */
export const textPartition = 'texts'

/** Returns the index keys of the head of a text. */
export const textIndex = (pk: string) => ({
  gsi1pk: textPartition,
  gsi1sk: pk.slice('text#'.length),
})

/**
 * Stores a text, compressed and encrypted, as an item (`text#<digest>`, `head`) with the first
 * bytes and the id of the key. Further chunks (`<set>#<number>`) are written before it, and the
 * head names its set of chunks. So a text exists completely or not at all, and two writers do not
 * mix. `at` is when it was last stored. Storing an existing text renews `at` and `rev`, so that a
 * sweep that found no reference to it does not remove it. The index lists the heads (`texts`,
 * digest). The digest is computed with the key of the first write: it reveals nothing about the
 * content, and the content only decrypts with it.
 */
export function dynamoTexts(table: Table, keys: SecretKeys, clock: Pick<Clock, 'now'>): Texts {
  const read = async (digest: string) => {
    const items = await table.query(`text#${digest}`)
    const head = items.find(({ sk }) => sk === 'head')
    if (!head) throw broken('A stored text is missing')
    return contentOf(head, items, digest, keys)
  }
  return {
    async put(text) {
      const key = keys.current
      const digest = digestOf(keys, key, text)
      const pk = `text#${digest}`
      if (await isKept(table, pk, clock.now())) return digest
      const short = await deflate(Buffer.from(text))
      const sealed = { bytes: seal(keys, key, short, digest), key, at: clock.now() }
      // Returns false if another writer has just stored it, which is fine.
      await write(table, pk, sealed, clock)
      return digest
    },
    // Retried once: the text may have been re-encrypted during the read.
    get: (digest) => read(digest).catch(() => read(digest)),
  }
}

/**
 * Returns whether the text exists and no sweep will remove it soon. Renews it if it was stored long
 * ago.
 */
async function isKept(table: Table, pk: string, now: number): Promise<boolean> {
  const head = await table.get(pk, 'head')
  if (!head) return false
  const isFresh = head.unused === undefined && (head.at as number) > now - renewAfter
  if (isFresh) return true
  // Later than the time at which it was found unused, even if this clock is behind.
  const at = Math.max(now, ((head.unused as number | undefined) ?? 0) + 1)
  const values = { ...textIndex(pk), at, rev: newRevision() }
  const set = '#at = :at, #rev = :rev, #gsi1pk = :gsi1pk, #gsi1sk = :gsi1sk'
  return (
    (await table.update({ pk, sk: 'head' }, { set, if: 'attribute_exists(#pk)', values })) !==
    undefined
  )
}

/** Encrypts a text with the current key. Returns false if it was written meanwhile. */
export async function resealText(
  table: Table,
  keys: SecretKeys,
  seen: Item,
  clock: Pick<Clock, 'now'>,
): Promise<boolean> {
  const digest = seen.pk.slice('text#'.length)
  const items = await table.query(seen.pk)
  const head = items.find(({ sk }) => sk === 'head')
  if (!head || head.rev !== seen.rev) return false
  const key = keys.current
  const bytes = seal(keys, key, shortOf(head, items, digest, keys), digest)
  const unchanged = { if: '#rev = :seen', values: { seen: head.rev as number } }
  const sealed = { bytes, key, at: head.at as number | undefined, unused: head.unused as number }
  if (!(await write(table, seen.pk, sealed, clock, unchanged))) return false
  await table.removeMany(chunksOf(head).map((sk) => ({ pk: head.pk, sk })))
  return true
}

interface Sealed {
  bytes: Buffer
  key: string
  /** Milliseconds. When it was last stored, and since when a sweep has found no reference to it. */
  at?: number | undefined
  unused?: number | undefined
}

/**
 * Writes the chunks, then the head that refers to them. A chunk has the time of its write; without
 * a head it is removed a day later. A process that paused for that long in between writes its
 * chunks again.
 */
async function write(
  table: Table,
  pk: string,
  sealed: Sealed,
  clock: Pick<Clock, 'now'>,
  condition = absent,
) {
  const { bytes, ...known } = sealed
  const set = String(newRevision())
  const at = clock.now()
  const rest: Item[] = []
  for (let start = chunkBytes; start < bytes.length; start += chunkBytes) {
    const chunk = bytes.subarray(start, start + chunkBytes)
    rest.push({ pk, sk: chunkName(set, rest.length), at, chunk })
  }
  const writeRest = () => Promise.all(rest.map((item) => table.put(item)))
  await writeRest()
  const chunk = bytes.subarray(0, chunkBytes)
  const place = { pk, sk: 'head', ...textIndex(pk) }
  const head = { ...place, rev: newRevision(), set, chunks: rest.length, chunk, ...known }
  const written = await table.put(head, condition)
  if (!written) await table.removeMany(rest)
  else if (clock.now() - at > pausedMax) await writeRest()
  return written
}

/** Returns the names of a head's chunks in order. */
export const chunksOf = (head: Item) =>
  Array.from({ length: head.chunks as number }, (_, index) => chunkName(head.set as string, index))

async function contentOf(head: Item, items: Item[], digest: string, keys: SecretKeys) {
  try {
    return (await inflate(shortOf(head, items, digest, keys))).toString()
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw broken('A stored text is damaged', { cause })
  }
}

/** Returns the compressed text. */
function shortOf(head: Item, items: Item[], digest: string, keys: SecretKeys): Buffer {
  const byName = new Map(items.map((item) => [item.sk, item.chunk as Uint8Array]))
  const chunks = ['head', ...chunksOf(head)].map((name) => byName.get(name))
  if (!chunks.every((chunk) => chunk !== undefined)) throw broken('A stored text is damaged')
  try {
    return open(keys, head.key as string, Buffer.concat(chunks), digest)
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw broken('A stored text is damaged', { cause })
  }
}

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)
const chunkName = (set: string, index: number) => `${set}#${String(index).padStart(4, '0')}`
