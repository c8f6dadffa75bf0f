import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { must } from '../../functions/compose/must.ts'
import { Failure, internalError } from '../../functions/core/errors.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import type { Texts } from '../../functions/core/ports/texts.ts'
import { Semaphore } from '../../functions/core/semaphore.ts'
import { contentDigests } from './content-key.ts'
import { type Item, newRevision } from './item.ts'
import { keptTexts } from './kept-texts.ts'
import { leftBehindAfter } from './leftovers.ts'
import { open, type SecretKeys, seal } from './sealed.ts'
import { absent, type Table } from './table.ts'
import { digestIn, textIndex, textPlace } from './text-keys.ts'

/** Bytes of a text per item. An item can have at most 400 KB, including attribute names. */
const chunkBytes = 350 * 1024

/**
 * Milliseconds. After a longer pause between writing the chunks and the head, the chunks may have
 * been removed.
 */
const pausedMax = leftBehindAfter / 2

/** Bytes. Longer contents are stored and read one at a time: each is copied a few times. */
const largeBytes = 1024 * 1024

/**
 * Stores a content, compressed and encrypted, as an item (`text#<digest>`, `head`) with the first
 * bytes and the id of the key. Further chunks (`<set>#<number>`) are written before it, and the
 * head names its set of chunks. So a content exists completely or not at all, and two writers do
 * not mix. `at` is when it was last stored. Storing an existing content renews `at` and `rev`, so
 * that a sweep that found no reference to it does not remove it. The index lists the heads
 * (`texts`, digest). The digest is keyed (`contentDigests`): it reveals nothing about the content,
 * and the content only decrypts with it.
 */
export function storedTexts(table: Table, keys: SecretKeys, clock: Pick<Clock, 'now'>): Texts {
  const digestOf = contentDigests(table, keys)
  const large = new Semaphore(1)
  const store = async (contents: readonly Keyed[]) => {
    const key = keys.current
    const sealed = contents.map(async ([digest, content]) => ({
      pk: textPlace(digest),
      key,
      bytes: seal(keys, key, await deflate(content), digest),
    }))
    await writeMany(table, await Promise.all(sealed), clock)
  }
  const putMany = async (contents: readonly Uint8Array[]) => {
    const keyed = await Promise.all(
      contents.map(async (content): Promise<Keyed> => [await digestOf(content), content]),
    )
    const missing = new Map(keyed)
    for (const digest of await keptTexts(table, [...missing.keys()], clock)) missing.delete(digest)
    const isLarge = ([, { length }]: Keyed) => length > largeBytes
    const small = [...missing].filter((one) => !isLarge(one))
    if (small.length > 0) await store(small)
    for (const one of [...missing].filter(isLarge)) await large.run(() => store([one]))
    return keyed.map(([digest]) => digest)
  }
  const read = async (digest: string) => {
    const pk = textPlace(digest)
    const head = await table.get(pk, 'head')
    if (!head) throw internalError('A stored text is missing')
    if (head.chunks === 0) return contentOf(head, [head], digest, keys)
    return large.run(async () => {
      const items = await table.query(pk)
      const now = items.find(({ sk }) => sk === 'head') ?? head
      return contentOf(now, items, digest, keys)
    })
  }
  // Retried once: the content may have been re-encrypted during the read.
  const getBytes = (digest: string) => read(digest).catch(() => read(digest))
  return {
    put: async (text) => must((await putMany([Buffer.from(text)]))[0], 'digest'),
    get: async (digest) => (await getBytes(digest)).toString(),
    putMany,
    digestOf: (text) => digestOf(Buffer.from(text)),
    getBytes,
  }
}

/** Encrypts a text with the current key. Returns false if it was written meanwhile. */
export async function resealText(
  table: Table,
  keys: SecretKeys,
  seen: Item,
  clock: Pick<Clock, 'now'>,
): Promise<boolean> {
  const digest = digestIn(seen.pk)
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

/** The digest of a content, and the content. */
type Keyed = readonly [digest: string, content: Uint8Array]

interface Sealed {
  bytes: Buffer
  key: string
  /** Milliseconds. When it was last stored, and since when a sweep has found no reference to it. */
  at?: number | undefined
  unused?: number | undefined
}

/**
 * Writes contents that are not stored. One without further chunks replaces a head that another
 * process has written meanwhile: that has the same content, and its grace period starts again.
 */
async function writeMany(
  table: Table,
  contents: readonly (Sealed & { pk: string })[],
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  const isShort = ({ bytes }: Sealed) => bytes.length <= chunkBytes
  const at = clock.now()
  const heads = contents
    .filter(isShort)
    .map(({ pk, ...sealed }) => headOf(pk, { ...sealed, at }, String(newRevision()), 0))
  await table.putMany(heads)
  for (const { pk, ...sealed } of contents.filter((one) => !isShort(one))) {
    // Returns false if another writer has just stored it, which is fine.
    await write(table, pk, { ...sealed, at: clock.now() }, clock)
  }
}

/** Returns the first item of stored content, which has this number of further chunks in a set. */
function headOf(pk: string, sealed: Sealed, set: string, chunks: number): Item {
  const { bytes, ...known } = sealed
  const chunk = bytes.subarray(0, chunkBytes)
  return { pk, sk: 'head', ...textIndex(pk), rev: newRevision(), set, chunks, chunk, ...known }
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
  const { bytes } = sealed
  const set = String(newRevision())
  const at = clock.now()
  const rest: Item[] = []
  for (let start = chunkBytes; start < bytes.length; start += chunkBytes) {
    const chunk = bytes.subarray(start, start + chunkBytes)
    rest.push({ pk, sk: chunkName(set, rest.length), at, chunk })
  }
  await table.putMany(rest)
  const written = await table.put(headOf(pk, sealed, set, rest.length), condition)
  if (!written) await table.removeMany(rest)
  else if (clock.now() - at > pausedMax) await table.putMany(rest)
  return written
}

/** Returns the names of a head's chunks in order. */
export const chunksOf = (head: Item) =>
  Array.from({ length: head.chunks as number }, (_, index) => chunkName(head.set as string, index))

async function contentOf(head: Item, items: Item[], digest: string, keys: SecretKeys) {
  try {
    return await inflate(shortOf(head, items, digest, keys))
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw internalError('A stored text is damaged', { cause })
  }
}

/** Returns the compressed content. */
function shortOf(head: Item, items: Item[], digest: string, keys: SecretKeys): Buffer {
  const byName = new Map(items.map((item) => [item.sk, item.chunk as Uint8Array]))
  const chunks = ['head', ...chunksOf(head)].map((name) => byName.get(name))
  if (!chunks.every((chunk) => chunk !== undefined)) throw internalError('A stored text is damaged')
  try {
    return open(keys, head.key as string, Buffer.concat(chunks), digest)
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw internalError('A stored text is damaged', { cause })
  }
}

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)
const chunkName = (set: string, index: number) => `${set}#${String(index).padStart(4, '0')}`
