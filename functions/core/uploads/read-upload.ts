import { createHash } from 'node:crypto'
import { conflict, invalid } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import { partsOf, type Upload } from '../records/upload.ts'

/**
 * Returns what `consume` returns for the bytes of an uploaded bundle, one part at a time. It may
 * stop early. The result is good only once this returns: the digest is checked at the end.
 *
 * @throws 409 if parts are missing, 400 if the bundle does not match the digest, or what `consume`
 *   throws
 */
export async function readUpload<T>(
  upload: Upload,
  sha256: string,
  consume: (packed: AsyncIterable<Uint8Array>) => Promise<T>,
  ports: Needs<'uploads'>,
): Promise<T> {
  const { id, size } = upload
  const received = new Set(await ports.uploads.received(id))
  const missing = Array.from({ length: partsOf(size) }, (_, part) => part).filter(
    (part) => !received.has(part),
  )
  if (missing.length > 0) throw conflict(`upload ${id}: parts are missing: ${missing.join(', ')}`)

  const hash = createHash('sha256')
  const parts = readParts(upload, hash, ports)
  const [outcome] = await Promise.allSettled([consume(withoutClosing(parts))])
  // A corrupted upload is usually not a valid archive either. Report the wrong digest first.
  for await (const _ of parts);
  if (hash.digest('hex') !== sha256) throw invalid('bundle: its SHA-256 differs from the given one')
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

async function* readParts(
  { id, size }: Upload,
  hash: ReturnType<typeof createHash>,
  { uploads }: Needs<'uploads'>,
): AsyncGenerator<Uint8Array> {
  for (let part = 0; part < partsOf(size); part += 1) {
    for await (const bytes of uploads.readPart(id, part)) {
      hash.update(bytes)
      yield bytes
    }
  }
}

/** Yields the same items, but does not close the source if the reader stops early. */
async function* withoutClosing<T>(source: AsyncGenerator<T>): AsyncIterable<T> {
  for (;;) {
    const next = await source.next()
    if (next.done) return
    yield next.value
  }
}
