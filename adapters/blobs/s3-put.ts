import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { Bytes } from '../../functions/core/backups/ports.ts'
import { unprocessable } from '../../functions/core/errors.ts'
import { quietly } from './patience.ts'
import type { Bucket } from './s3.ts'

const mebibyte = 1024 * 1024

/**
 * Returns the size of a part in bytes. S3 accepts 10 000 parts per object. Parts grow, so that
 * small objects need little memory and 200 GiB fit.
 */
export const partBytes = (number: number) =>
  (number <= 2_000 ? 8 : number <= 4_000 ? 16 : 32) * mebibyte
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
  const parts = growingPieces(content, signal)
  try {
    const first = (await parts.next()).value ?? Buffer.alloc(0)
    if (first.length === partBytes(1)) return await putParts(place, target, first, parts, signal)
    const input = { ...target, Body: first, ContentLength: first.length }
    await call((options) => client.send(new PutObjectCommand(input), options), signal)
    return { bytes: first.length }
  } finally {
    await quietly(() => parts.return())
  }
}

async function putParts(
  place: Bucket,
  target: { Bucket: string; Key: string },
  first: Buffer,
  rest: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<{ bytes: number }> {
  const { client, call } = place
  const begun = await call(
    (options) => client.send(new CreateMultipartUploadCommand(target), options),
    signal,
  )
  const upload = { ...target, UploadId: begun.UploadId }
  try {
    const { sent, bytes } = await sendParts(place, upload, first, rest, signal)
    const input = { ...upload, MultipartUpload: { Parts: sent } }
    await call((options) => client.send(new CompleteMultipartUploadCommand(input), options), signal)
    return { bytes }
  } catch (error) {
    const input = new AbortMultipartUploadCommand(upload)
    await quietly(() => client.send(input, { abortSignal: AbortSignal.timeout(abortMilliseconds) }))
    throw error
  }
}

/** Milliseconds to abort a failed upload. */
const abortMilliseconds = 15_000

async function sendParts(
  { client, call }: Bucket,
  upload: { Bucket: string; Key: string; UploadId: string | undefined },
  first: Buffer,
  rest: AsyncIterable<Buffer>,
  signal: AbortSignal,
) {
  const sent: CompletedPart[] = []
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const going = new Set<Promise<void>>()
  let failed: { error: unknown } | undefined
  let bytes = 0

  async function begin(body: Buffer) {
    const PartNumber = sent.length + 1
    if (PartNumber > partsMax)
      throw unprocessable('The object is larger than S3 takes in parts like ours')
    const place = { PartNumber, ETag: undefined as string | undefined }
    sent.push(place)
    bytes += body.length
    const input = { ...upload, PartNumber, Body: body, ContentLength: body.length }
    const work = call((options) => client.send(new UploadPartCommand(input), options), either).then(
      ({ ETag }) => {
        place.ETag = ETag
      },
      (error) => {
        failed ??= { error }
      },
    )
    going.add(work)
    work.finally(() => going.delete(work))
    while (going.size >= parallel) await Promise.race(going)
    if (failed) throw failed.error
  }

  try {
    await begin(first)
    for await (const part of rest) await begin(part)
    await Promise.all(going)
    if (failed) throw (failed as { error: unknown }).error
    return { sent, bytes }
  } catch (error) {
    // No part may arrive after the upload was aborted: it would remain and be billed.
    stop.abort(error)
    await Promise.all(going)
    throw error
  }
}

async function* growingPieces(
  content: Bytes,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  let number = 1
  let piece: Buffer | undefined
  let used = 0
  for await (const chunk of content) {
    signal.throwIfAborted()
    for (let at = 0; at < chunk.length; ) {
      piece ??= Buffer.allocUnsafeSlow(partBytes(number))
      const taken = Math.min(piece.length - used, chunk.length - at)
      piece.set(chunk.subarray(at, at + taken), used)
      at += taken
      used += taken
      if (used < piece.length) continue
      yield piece
      piece = undefined
      used = 0
      number++
    }
  }
  signal.throwIfAborted()
  if (piece) yield piece.subarray(0, used)
}
