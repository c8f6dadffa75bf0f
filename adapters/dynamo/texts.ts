import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { broken, Failure } from '../../functions/core/errors.ts'
import type { Texts } from '../../functions/core/stacks/ports.ts'
import { type Item, newRevision } from './item.ts'
import { digestOf, open, type SecretKeys, seal } from './sealed.ts'
import { absent, type Table } from './table.ts'

/** The most bytes of a text in one item: an item ends at 400 KB, names and all. */
const chunkBytes = 350 * 1024

/**
 * A text is an item (`text#<digest>`, `head`) with its first bytes, compressed; further chunks (`<set>#<number>`) are
 * written before it. So it is there whole or not at all, and two writers don't mix: the head names the set that
 * belongs to it. A secret text is encrypted, the id of the key beside it, and its digest is keyed: it says nothing about
 * the content.
 */
export function dynamoTexts(table: Table, keys: SecretKeys): Texts {
  return {
    async put(text, options = {}) {
      const key = options.secret ? keys.current : undefined
      const digest = key === undefined ? plainDigest(text) : digestOf(keys, key, text)
      const pk = `text#${digest}`
      if (await table.get(pk, 'head')) return digest
      const short = await deflate(Buffer.from(text))
      await write(table, pk, key === undefined ? short : seal(keys, key, short, digest), key)
      return digest
    },
    async get(digest) {
      const items = await table.query(`text#${digest}`)
      const head = items.find(({ sk }) => sk === 'head')
      if (!head) throw broken('A stored text is missing')
      const key = head.key as string | undefined
      const text = await contentOf(head, items, digest, keys)
      const expected = key === undefined ? plainDigest(text) : digestOf(keys, key, text)
      if (expected !== digest) throw broken('A stored text is damaged')
      return text
    },
  }
}

async function write(table: Table, pk: string, bytes: Buffer, key: string | undefined) {
  const set = String(newRevision())
  const rest: Item[] = []
  for (let start = chunkBytes; start < bytes.length; start += chunkBytes) {
    const chunk = bytes.subarray(start, start + chunkBytes)
    rest.push({ pk, sk: chunkName(set, rest.length), chunk })
  }
  await Promise.all(rest.map((item) => table.put(item)))
  const chunk = bytes.subarray(0, chunkBytes)
  const head = { pk, sk: 'head', rev: newRevision(), set, chunks: rest.length, chunk, key }
  if (!(await table.put(head, absent))) await table.removeMany(rest)
}

async function contentOf(head: Item, items: Item[], digest: string, keys: SecretKeys) {
  const byName = new Map(items.map((item) => [item.sk, item.chunk as Uint8Array]))
  const names = Array.from({ length: head.chunks as number }, (_, index) =>
    chunkName(head.set as string, index),
  )
  const chunks = ['head', ...names].map((name) => byName.get(name))
  if (!chunks.every((chunk) => chunk !== undefined)) throw broken('A stored text is damaged')
  const bytes = Buffer.concat(chunks)
  try {
    const key = head.key as string | undefined
    const short = key === undefined ? bytes : open(keys, key, bytes, digest)
    return (await inflate(short)).toString()
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw broken('A stored text is damaged', { cause })
  }
}

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)
const plainDigest = (text: string) => createHash('sha256').update(text).digest('hex')
const chunkName = (set: string, index: number) => `${set}#${String(index).padStart(4, '0')}`
