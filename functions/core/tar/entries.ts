import { extract, type Header } from 'tar-stream'
import { Failure, unprocessable } from '../errors.ts'
import { feed } from './feed.ts'

/** An entry of an archive. `content` has to be read before the next entry is asked for. */
export interface TarEntry {
  header: Header
  content: AsyncIterable<Uint8Array>
}

/**
 * The entries of a tar archive in their order; little of it is in memory at a time. Whatever the chunks throw is thrown here
 * as it is. Throws a `Failure` 422 for an archive that is damaged or was cut off.
 */
export async function* tarEntries(chunks: AsyncIterable<Uint8Array>): AsyncIterable<TarEntry> {
  const archive = extract()
  const feeding = feed(archive, chunks).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  /** What went wrong at first: streams tell each other of it in words of their own. */
  const reason = async (error: unknown) => {
    archive.destroy()
    const source = await feeding
    if (source) return source.error
    return error instanceof Failure ? error : damaged(error)
  }
  try {
    for await (const entry of archive) {
      yield { header: entry.header, content: told(entry as AsyncIterable<Uint8Array>, reason) }
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

async function* told(
  chunks: AsyncIterable<Uint8Array>,
  reason: (error: unknown) => Promise<unknown>,
): AsyncIterable<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    throw await reason(error)
  }
}

const damaged = (cause: unknown) =>
  unprocessable('the archive is damaged or was cut off', { cause })
