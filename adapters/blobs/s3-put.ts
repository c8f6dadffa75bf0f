import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { unusable } from '../../functions/core/errors.ts'
import type { Bytes } from '../../functions/core/ports/backup-targets.ts'
import { BufferPool, pieces } from './pieces.ts'
import type { Bucket } from './s3-bucket.ts'
import { bestEffort } from './target-calls.ts'

/**
 * Bytes. The size of each part but the last: Cloudflare R2 accepts only parts of one size. S3 takes
 * 10 000 parts for an object, so objects of 220 GiB fit.
 */
export const partBytes = 23 * 1024 * 1024
const partsMax = 10_000

/** Parts uploaded concurrently, besides the one being filled. */
const parallel = 2

/** Stores an object: a small one with one request, a larger one as a multipart upload. */
export async function putS3(
  place: Bucket,
  name: string,
  content: Bytes,
  signal: AbortSignal,
): Promise<{ bytes: number }> {
  const { client, bucket, call } = place
  const target = { Bucket: bucket, Key: place.keyOf(name) }
  const buffers = new BufferPool(partBytes)
  const parts = pieces(untilAborted(content, signal), buffers)
  try {
    const first = (await parts.next()).value ?? Buffer.alloc(0)
    if (first.length === partBytes) {
      return await putParts(place, target, { first, rest: parts, buffers }, signal)
    }
    const input = { ...target, Body: first, ContentLength: first.length }
    await call((options) => client.send(new PutObjectCommand(input), options), signal)
    return { bytes: first.length }
  } finally {
    await bestEffort(() => parts.return())
  }
}

/** The parts of an object, and the pool to which their buffers return once uploaded. */
interface Parts {
  first: Buffer
  rest: AsyncIterable<Buffer>
  buffers: BufferPool
}

async function putParts(
  place: Bucket,
  target: { Bucket: string; Key: string },
  parts: Parts,
  signal: AbortSignal,
): Promise<{ bytes: number }> {
  const { client, call } = place
  const created = await call(
    (options) => client.send(new CreateMultipartUploadCommand(target), options),
    signal,
  )
  const upload = { ...target, UploadId: created.UploadId }
  try {
    const { sent, bytes } = await sendParts(place, upload, parts, signal)
    const input = { ...upload, MultipartUpload: { Parts: sent } }
    await call((options) => client.send(new CompleteMultipartUploadCommand(input), options), signal)
    return { bytes }
  } catch (error) {
    const input = new AbortMultipartUploadCommand(upload)
    await bestEffort(() =>
      client.send(input, { abortSignal: AbortSignal.timeout(abortMilliseconds) }),
    )
    throw error
  }
}

/** Milliseconds to abort a failed upload. */
const abortMilliseconds = 15_000

async function sendParts(
  { client, call }: Bucket,
  upload: { Bucket: string; Key: string; UploadId: string | undefined },
  { first, rest, buffers }: Parts,
  signal: AbortSignal,
) {
  const sent: CompletedPart[] = []
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const pending = new Set<Promise<void>>()
  let failed: { error: unknown } | undefined
  let bytes = 0

  async function sendPart(body: Buffer) {
    const PartNumber = sent.length + 1
    if (PartNumber > partsMax) throw unusable('The object is too large for an S3 upload in parts')
    const place = { PartNumber, ETag: undefined as string | undefined }
    sent.push(place)
    bytes += body.length
    const input = { ...upload, PartNumber, Body: body, ContentLength: body.length }
    const work = call((options) => client.send(new UploadPartCommand(input), options), either).then(
      ({ ETag }) => {
        place.ETag = ETag
        buffers.release(body)
      },
      (error) => {
        failed ??= { error }
      },
    )
    pending.add(work)
    work.finally(() => pending.delete(work))
    while (pending.size >= parallel) await Promise.race(pending)
    if (failed) throw failed.error
  }

  try {
    await sendPart(first)
    for await (const part of rest) await sendPart(part)
    await Promise.all(pending)
    if (failed) throw (failed as { error: unknown }).error
    return { sent, bytes }
  } catch (error) {
    // No part may arrive after the upload was aborted: it would remain and be billed.
    stop.abort(error)
    await Promise.all(pending)
    throw error
  }
}

async function* untilAborted(
  content: Bytes,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of content) {
    signal.throwIfAborted()
    yield chunk
  }
  signal.throwIfAborted()
}
