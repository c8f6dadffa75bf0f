import { createHash } from 'node:crypto'
import { type CollectedFiles, collect } from '../bundle/collect.ts'
import { unpack } from '../bundle/unpack.ts'
import { conflict, invalid } from '../errors.ts'
import type { Needs } from '../ports.ts'
import { type Adoption, partsOf } from './adoption.ts'

/** A bundle may grow to twice its size, and a small one to twice the usual allowance: text packs well. Bytes. */
const usualAllowance = 100 * 1024 * 1024

/**
 * Reads a bundle that has arrived, a part at a time. Throws a `Failure`: 409 while parts are missing, 400 when it is not what
 * the digest says, no archive or an unsafe one.
 */
export async function readBundle(
  adoption: Adoption,
  sha256: string,
  first: readonly string[],
  ports: Needs<'adoptions'>,
): Promise<CollectedFiles> {
  const { id, size } = adoption
  const received = new Set(await ports.adoptions.received(id))
  const missing = Array.from({ length: partsOf(size) }, (_, part) => part).filter(
    (part) => !received.has(part),
  )
  if (missing.length > 0) throw conflict(`adoption ${id}: parts are missing: ${missing.join(', ')}`)

  const hash = createHash('sha256')
  const parts = readParts(adoption, hash, ports)
  const unpackedMax = 2 * Math.max(size, usualAllowance)
  const [outcome] = await Promise.allSettled([collect(unpack(keepOpen(parts), unpackedMax), first)])
  // What arrived otherwise than it was sent is no archive either: that is said first.
  for await (const _ of parts);
  if (hash.digest('hex') !== sha256) throw invalid('bundle: its SHA-256 is not the one given')
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

async function* readParts(
  { id, size }: Adoption,
  hash: ReturnType<typeof createHash>,
  { adoptions }: Needs<'adoptions'>,
): AsyncGenerator<Uint8Array> {
  for (let part = 0; part < partsOf(size); part += 1) {
    for await (const bytes of adoptions.readPart(id, part)) {
      hash.update(bytes)
      yield bytes
    }
  }
}

/** The same, without ending it when the reader leaves early. */
async function* keepOpen<T>(source: AsyncGenerator<T>): AsyncIterable<T> {
  for (;;) {
    const next = await source.next()
    if (next.done) return
    yield next.value
  }
}
