import { pipeline, Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { Failure, unusable } from '../../functions/core/errors.ts'
import type { Bytes } from '../../functions/core/ports/backup-targets.ts'

const chunkSize = 64 * 1024

/** Yields the content compressed as gzip (RFC 1952). */
export async function* gzipped(content: Bytes): AsyncGenerator<Buffer, void, void> {
  yield* pipeline(Readable.from(content, { objectMode: false }), createGzip({ chunkSize }), ignore)
}

/** Yields the content of a gzip stream. */
export async function* gunzipped(stored: Bytes): AsyncGenerator<Buffer, void, void> {
  try {
    const source = Readable.from(stored, { objectMode: false })
    yield* pipeline(source, createGunzip({ chunkSize }), ignore)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (error instanceof Failure || !code?.startsWith('Z_')) throw error
    if (code === 'Z_BUF_ERROR') throw unusable('The archive was cut short', { cause: error })
    throw unusable('The archive was modified: its compressed data is damaged', {
      cause: error,
    })
  }
}

/** Errors of every stream reach the reader of the last one. */
const ignore = () => {}
