import type { S3Client } from '@aws-sdk/client-s3'

/** A bucket, as the modules of this target use it. */
export interface Bucket {
  client: S3Client
  bucket: string
  page: number
  /** Convert a name to its key and back. */
  keyOf(name: string): string
  nameOf(key: string): string
  /** Runs the work and converts its errors to failures with readable messages. */
  call<T>(
    work: (signal: { abortSignal?: AbortSignal }) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>
}
