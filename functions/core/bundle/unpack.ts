import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { Failure, invalid } from '../errors.ts'
import { started } from '../promises.ts'
import { drained, feed } from '../tar/feed.ts'
import { checkEntry, newSeen } from './entry.ts'

/** A file or directory of a bundle. `content` has to be read before the next entry is asked for. */
export interface BundleEntry {
  path: string
  type: 'file' | 'directory'
  mode: number
  size: number
  content: AsyncIterable<Uint8Array>
}

/** Bytes of an archive that are no entry's content: names, padding. More between two entries is meant to do harm. */
const betweenMax = 1024 * 1024

/**
 * The entries of a packed bundle (tar, gzip) in their order; little of it is in memory at a time. Throws a `Failure` 400 at
 * the first thing that is wrong: no such archive, cut off, larger than `unpackedMax` bytes, or an unsafe entry.
 */
export async function* unpack(
  packed: AsyncIterable<Uint8Array>,
  unpackedMax: number,
): AsyncIterable<BundleEntry> {
  const archive = extract()
  const fed = { bytes: 0, until: betweenMax }
  const feeding = started(feed(archive, counted(gunzipped(packed), fed, unpackedMax)))
  const seen = newSeen()
  /** What went wrong at first: streams tell each other of it in words of their own. */
  const reason = async (error: unknown) => {
    archive.destroy()
    const first = await feeding.then(
      () => error,
      (cause) => cause,
    )
    if (error instanceof Failure) return error
    return first instanceof Failure ? first : unreadable(first)
  }
  try {
    for await (const entry of archive) {
      const { type, mode = 0, size = 0 } = entry.header
      fed.until = fed.bytes + size + betweenMax
      const path = checkEntry(entry.header, seen)
      const content = told(entry as AsyncIterable<Uint8Array>, reason)
      yield { path, type: type as BundleEntry['type'], mode, size, content }
    }
    await feeding
  } catch (error) {
    throw await reason(error)
  } finally {
    archive.destroy()
    await feeding.catch(() => {})
  }
}

async function* told(
  chunks: AsyncIterable<Uint8Array>,
  reason: (error: unknown) => Promise<Failure>,
): AsyncIterable<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    throw await reason(error)
  }
}

const unreadable = (cause: unknown) => invalid('bundle: it is no whole tar.gz archive', { cause })

/** Counts what goes into the archive's reader. */
async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  fed: { bytes: number; until: number },
  unpackedMax: number,
): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    if (fed.bytes > fed.until) throw invalid('bundle: the head of an entry is too large')
    fed.bytes += chunk.length
    if (fed.bytes > unpackedMax)
      throw invalid(`bundle: unpacked it is larger than ${unpackedMax} bytes`)
    yield chunk
  }
}

async function* gunzipped(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 })
  const closed = new Promise<void>((resolve) => {
    gunzip.once('close', () => resolve())
  })
  const feeding = (async () => {
    try {
      for await (const part of packed) {
        if (gunzip.destroyed) return
        if (!gunzip.write(part)) await Promise.race([closed, drained(gunzip)])
      }
      gunzip.end()
    } catch (error) {
      gunzip.destroy(error as Error)
    }
  })()
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array
  } finally {
    gunzip.destroy()
    await feeding
  }
}
