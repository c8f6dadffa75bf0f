import { type Failure, unusable } from '../../errors.ts'
import type { BackupCodec } from '../../ports/backup-codec.ts'
import type { Bytes } from '../../ports/backup-targets.ts'
import type { BackupObject } from '../../records/backup-manifest.ts'
import { formOf } from './object-form.ts'

/**
 * Yields the archive in a stored object. Throws 422, possibly only at the end, unless the stored
 * bytes and the archive match the manifest. Until then, do nothing with the content that cannot be
 * undone.
 */
export async function* readObject(
  object: BackupObject,
  stored: Bytes,
  codec: BackupCodec,
  signal?: AbortSignal,
): Bytes {
  const tooLong = damaged(object, 'it is longer than what was stored')
  const coded = codec.unpack(atMost(object.bytes, stored, tooLong), formOf(object.name), signal)
  yield* atMost(object.tar_bytes, coded.stream, tooLong)
  const counts = coded.counts()
  if (counts.stored.bytes < object.bytes) throw damaged(object, 'it was cut short')
  if (counts.stored.bytes !== object.bytes || counts.stored.sha256 !== object.sha256) {
    throw damaged(object, 'differs from what was stored (SHA-256 mismatch)')
  }
  if (counts.content.bytes !== object.tar_bytes || counts.content.sha256 !== object.tar_sha256) {
    throw damaged(object, 'the archive in it differs from what was backed up (SHA-256 mismatch)')
  }
}

/** Passes at most `limit` bytes on and then throws, because a target can send bytes without end. */
async function* atMost(limit: number, source: Bytes, tooLong: Failure): Bytes {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > limit) throw tooLong
    yield chunk
  }
}

const damaged = ({ name }: BackupObject, why: string) => unusable(`${name}: ${why}`)
