import type { ObjectForm } from '../records/backup-manifest.ts'
import type { Bytes } from './backup-targets.ts'

/**
 * Compresses and encrypts archives in open formats: zstd (RFC 8878) or gzip (RFC 1952), then age.
 */
export interface BackupCodec {
  /** The compression of new archives. */
  readonly compression: 'zstd' | 'gzip'
  /** Encodes content for storage. */
  pack(content: Bytes, form: ObjectForm, signal?: AbortSignal): CodedStream
  /**
   * Decodes a stored object. Reading it throws 422 if the object was truncated, changed or
   * encrypted with another key.
   */
  unpack(stored: Bytes, form: ObjectForm, signal?: AbortSignal): CodedStream
}

/** A stream through a codec. */
export interface CodedStream {
  stream: Bytes
  /** Returns the counts of both sides of the codec. They are final at the end of the stream. */
  counts(): { content: ByteCount; stored: ByteCount }
}

export interface ByteCount {
  bytes: number
  /** SHA-256 in hex. */
  sha256: string
}
