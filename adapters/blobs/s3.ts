import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3'
import { checkName } from '../../functions/core/backups/contents/object-names.ts'
import { notFound, unusable } from '../../functions/core/errors.ts'
import { ignoreError } from '../../functions/core/ignore-error.ts'
import type { OpenTarget } from '../../functions/core/ports/backup-targets.ts'
import type { S3Target } from '../../functions/core/records/backup-target.ts'
import type { Dialer } from '../net/outbound.ts'
import { byName } from './names.ts'
import type { Bucket } from './s3-bucket.ts'
import { s3Client, s3Failure } from './s3-client.ts'
import { putS3 } from './s3-put.ts'
import {
  forEachConcurrently,
  idleMilliseconds,
  isFailure,
  withIdleTimeout,
} from './target-calls.ts'

export interface S3Options {
  idle?: number
  /** Entries per page of a listing; at most 1 000. */
  page?: number
  signal?: AbortSignal
}

/**
 * Opens a bucket of Amazon S3 or of a compatible server. S3 guarantees that only complete objects
 * are visible.
 */
export async function openS3(
  target: S3Target,
  dialer: Dialer,
  { idle = idleMilliseconds, page = 1_000, signal }: S3Options = {},
): Promise<OpenTarget> {
  const where =
    target.endpoint === null ? 'Amazon S3' : `The S3 server ${new URL(target.endpoint).host}`
  checkEndpoint(target, dialer, where)
  const client = s3Client(target, dialer, idle)
  const start = target.prefix === '' ? '' : `${target.prefix}/`
  const { bucket } = target
  const as = (error: unknown, stop?: AbortSignal) =>
    s3Failure(error, { where, bucket, idle, signal: stop })
  const place: Bucket = {
    client,
    bucket,
    page,
    keyOf: (name) => start + name,
    nameOf: (key) => key.slice(start.length),
    async call(work, stop) {
      try {
        return await work({ abortSignal: stop })
      } catch (error) {
        throw as(error, stop)
      }
    },
  }
  await place.call(
    (stop) =>
      client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: start, MaxKeys: 1 }), stop),
    signal,
  )
  return {
    async put(name, content, stop) {
      checkName(name)
      return putS3(place, name, content, stop)
    },
    async get(name, { offset = 0, signal: stop } = {}) {
      checkName(name)
      const range = offset > 0 ? { Range: `bytes=${offset}-` } : {}
      const input = { Bucket: bucket, Key: place.keyOf(name), ...range }
      try {
        const { Body } = await client.send(new GetObjectCommand(input), { abortSignal: stop })
        return read(Body as Body, { where, idle, signal: stop }, as)
      } catch (error) {
        if ((error as Error).name === 'NoSuchKey') throw notFound(`${where} has no ${name}`)
        if ((error as Error).name === 'InvalidRange') return nothing()
        throw as(error, stop)
      }
    },
    async list(directory, stop) {
      checkName(directory)
      const found = new Map<string, number>()
      for (const key of (await uploadsBelow(place, `${directory}/`, stop)).keys()) {
        found.set(place.nameOf(key), 0)
      }
      for await (const { name, bytes } of objectsBelow(place, `${directory}/`, stop)) {
        found.set(name, bytes)
      }
      return [...found].map(([name, bytes]) => ({ name, bytes })).sort(byName)
    },
    async remove(names, stop) {
      for (const name of names) checkName(name)
      await abortUploads(place, names, stop)
      await forEachConcurrently(names, async (name) => {
        const input = { Bucket: bucket, Key: place.keyOf(name) }
        await place.call((options) => client.send(new DeleteObjectCommand(input), options), stop)
      })
    },
    async close() {
      client.destroy()
    },
  }
}

type Body = AsyncIterable<Uint8Array> & { destroy(): void }

/**
 * Checks the address as written, before any request.
 *
 * @throws 422 if the outbound policy forbids it
 */
function checkEndpoint({ endpoint }: S3Target, dialer: Dialer, where: string): void {
  if (endpoint === null) return
  const { hostname, port, protocol } = new URL(endpoint)
  const problem = dialer.refusal(hostname, Number(port) || (protocol === 'https:' ? 443 : 80))
  if (problem) throw unusable(`${where}: ${problem}`)
}

async function* nothing(): AsyncGenerator<Uint8Array, void, void> {}

async function* read(
  body: Body,
  options: { where: string; idle: number; signal?: AbortSignal },
  as: (error: unknown, signal?: AbortSignal) => unknown,
): AsyncGenerator<Uint8Array, void, void> {
  const chunks = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await withIdleTimeout(chunks.next(), options)
      if (done) return
      yield value
    }
  } catch (error) {
    throw isFailure(error) ? error : as(error, options.signal)
  } finally {
    body.destroy()
  }
}

async function* objectsBelow(
  { client, bucket, page: most, call, keyOf, nameOf }: Bucket,
  directory: string,
  stop?: AbortSignal,
) {
  let token: string | undefined
  do {
    const input = {
      Bucket: bucket,
      Prefix: keyOf(directory),
      MaxKeys: most,
      ContinuationToken: token,
    }
    const page = await call(
      (options) => client.send(new ListObjectsV2Command(input), options),
      stop,
    )
    for (const { Key, Size } of page.Contents ?? []) {
      if (Key !== undefined) yield { name: nameOf(Key), bytes: Size ?? 0 }
    }
    token = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (token !== undefined)
}

/**
 * Returns the uploads that are not complete: key → upload ids. A server that does not support the
 * listing counts as having none.
 */
async function uploadsBelow(
  { client, bucket, page: most, keyOf }: Bucket,
  directory: string,
  stop?: AbortSignal,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  let marker: { KeyMarker?: string; UploadIdMarker?: string } = {}
  for (;;) {
    const input = { Bucket: bucket, Prefix: keyOf(directory), MaxUploads: most, ...marker }
    const command = new ListMultipartUploadsCommand(input)
    const page = await client
      .send(command, { abortSignal: stop })
      .catch(ignoreError('list unfinished uploads'))
    stop?.throwIfAborted()
    for (const { Key, UploadId } of page?.Uploads ?? []) {
      if (Key && UploadId) found.set(Key, [...(found.get(Key) ?? []), UploadId])
    }
    if (!page?.IsTruncated || !page.NextKeyMarker) return found
    marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
  }
}

async function abortUploads(place: Bucket, names: readonly string[], stop?: AbortSignal) {
  const { client, bucket, keyOf, call } = place
  const directories = new Set(names.map((name) => name.slice(0, name.lastIndexOf('/') + 1)))
  const keys = new Set(names.map(keyOf))
  for (const directory of directories) {
    for (const [Key, ids] of await uploadsBelow(place, directory, stop)) {
      if (!keys.has(Key)) continue
      for (const UploadId of ids) {
        const input = { Bucket: bucket, Key, UploadId }
        await call((options) => client.send(new AbortMultipartUploadCommand(input), options), stop)
      }
    }
  }
}
