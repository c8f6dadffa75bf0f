import { extract, type Header } from 'tar-stream'
import { Failure, unusable } from '../errors.ts'
import { writeAll } from './write-all.ts'

/** An entry of an archive. Read `content` to its end before you ask for the next entry. */
export interface TarEntry {
  header: Header
  content: AsyncIterable<Uint8Array>
}

/**
 * Yields the entries of a tar archive in order, in bounded memory. Errors of `chunks` are rethrown
 * unchanged.
 *
 * @throws 422 if the archive is damaged or truncated
 */
export async function* tarEntries(chunks: AsyncIterable<Uint8Array>): AsyncIterable<TarEntry> {
  const archive = extract()
  const feeding = writeAll(archive, chunks).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  /** Returns the first cause: the streams replace it with errors of their own. */
  const reason = async (error: unknown) => {
    archive.destroy()
    const source = await feeding
    if (source) return source.error
    return error instanceof Failure ? error : damaged(error)
  }
  try {
    for await (const entry of archive) {
      yield {
        header: entry.header,
        content: withReason(entry as AsyncIterable<Uint8Array>, reason),
      }
    }
    const source = await feeding
    if (source) throw source.error
  } catch (error) {
    throw await reason(error)
  } finally {
    archive.destroy()
    await feeding
  }
}

/** Passes chunks on and replaces an error with its reason. */
async function* withReason(
  chunks: AsyncIterable<Uint8Array>,
  reason: (error: unknown) => Promise<unknown>,
): AsyncIterable<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    throw await reason(error)
  }
}

const damaged = (cause: unknown) => unusable('the archive is damaged or was cut off', { cause })
