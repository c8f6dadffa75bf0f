import { open } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiFailure, CliFailure, isTemporary } from '../failure.ts'
import type { Io } from '../io.ts'
import type { Bar } from '../output/progress-bar.ts'
import { savedList } from '../session/saved-list.ts'
import type { Bundle } from './pack.ts'

/** How often a request without a response is sent, and the milliseconds between two attempts. */
const triesMax = 5
const wait = 1000

/** What the service returns for a new upload. */
interface Started {
  /** Bytes of each part but the last. */
  part_size: number
}

/** The requests of one kind of upload. All except `begin` are idempotent. */
export interface UploadRequests<Begun extends Started, Result> {
  /** The file in which unfinished uploads are saved. */
  list: string
  /** Says what is uploaded where, besides the content. */
  key: string
  begin(size: number): Promise<Begun>
  /** Returns the numbers of the parts that the service has. */
  received(begun: Begun): Promise<readonly number[]>
  put(begun: Begun, part: string, data: string): Promise<unknown>
  complete(begun: Begun, sha256: string): Promise<Result>
}

/**
 * Uploads a bundle in parts and completes the upload. Resumes an earlier upload of the same bundle
 * that was interrupted. Throws a `CliFailure`.
 */
export async function uploadBundle<Begun extends Started, Result>(
  bundle: Bundle,
  requests: UploadRequests<Begun, Result>,
  { io, bar }: { io: Io; bar: Bar },
): Promise<Result> {
  const list = savedList<Begun>(io, requests.list)
  const key = `${requests.key} ${bundle.sha256}`
  const earlier = await resumed(await list.find(key), requests)
  const begun = earlier?.begun ?? (await requests.begin(bundle.size))
  await list.keep(key, begun)
  try {
    await sendParts(bundle, begun, earlier?.received ?? new Set(), requests, bar)
    const result = await withRetries(() => requests.complete(begun, bundle.sha256))
    await list.forget(key)
    return result
  } catch (error) {
    if (isRefusal(error)) await list.forget(key)
    throw isTemporary(error) ? resumable(error) : error
  } finally {
    bar.end()
  }
}

async function resumed<Begun extends Started>(
  begun: Begun | undefined,
  { received }: Pick<UploadRequests<Begun, unknown>, 'received'>,
): Promise<{ begun: Begun; received: Set<number> } | undefined> {
  if (!begun) return undefined
  try {
    return { begun, received: new Set(await received(begun)) }
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return undefined
    throw error
  }
}

/** Returns true if the same upload would be refused again, so that only a new one may succeed. */
const isRefusal = (error: unknown) =>
  error instanceof ApiFailure && [400, 404, 409, 422].includes(error.status)

const resumable = (cause: CliFailure) =>
  new CliFailure(1, cause.message, {
    hint: 'the uploaded parts are kept for a day: run the same command to resume',
    cause,
  })

async function sendParts<Begun extends Started>(
  bundle: Bundle,
  begun: Begun,
  received: ReadonlySet<number>,
  { put }: Pick<UploadRequests<Begun, unknown>, 'put'>,
  bar: Bar,
): Promise<void> {
  const partSize = begun.part_size
  const file = await open(bundle.file, 'r')
  try {
    let done = 0
    for (let part = 0; part * partSize < bundle.size; part += 1) {
      const length = Math.min(partSize, bundle.size - part * partSize)
      if (!received.has(part)) {
        const bytes = Buffer.alloc(length)
        await file.read(bytes, 0, length, part * partSize)
        const data = bytes.toString('base64')
        await withRetries(() => put(begun, String(part), data))
      }
      done += length
      bar.show(done, bundle.size)
    }
  } finally {
    await file.close()
  }
}

async function withRetries<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call()
    } catch (error) {
      if (!isTemporary(error) || tries >= triesMax) throw error
      await pause(wait)
    }
  }
}
