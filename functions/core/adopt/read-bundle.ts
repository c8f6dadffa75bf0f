import { createHash } from 'node:crypto'
import { type CollectedFiles, collect } from '../bundle/collect.ts'
import { unpack } from '../bundle/unpack.ts'
import { conflict, invalid } from '../errors.ts'
import type { Needs } from '../ports.ts'
import { type Adoption, partsOf } from './adoption.ts'

/**
 * A bundle may unpack to twice its size, and a small one to twice this size, because text
 * compresses well. Bytes.
 */
const usualAllowance = 100 * 1024 * 1024

/**
 * Reads an uploaded bundle, one part at a time.
 *
 * @throws 409 if parts are missing, 400 if the bundle does not match the digest, is not an archive
 *   or is unsafe
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
  // A corrupted upload is usually not a valid archive either. Report the wrong digest first.
  for await (const _ of parts);
  if (hash.digest('hex') !== sha256) throw invalid('bundle: its SHA-256 differs from the given one')
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

/** Yields the same items, but does not close the source if the reader stops early. */
async function* keepOpen<T>(source: AsyncGenerator<T>): AsyncIterable<T> {
  for (;;) {
    const next = await source.next()
    if (next.done) return
    yield next.value
  }
}
