import { open } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Reply } from '../client.ts'
import { ApiFailure, CliFailure } from '../failure.ts'
import { path } from '../http.ts'
import type { Io } from '../io.ts'
import type { AdoptedStack, Adoption, NewAdoption } from '../records.ts'
import type { Bar } from './bar.ts'
import type { Bundle } from './pack.ts'
import { type Begun, unfinished } from './resume.ts'

/** How often a request without a response is sent, and the milliseconds between two attempts. */
const triesMax = 5
const wait = 1000

/**
 * Sends a bundle and completes the adoption. Resumes an earlier upload of the same bundle that was
 * interrupted. Throws a `CliFailure`.
 */
export async function upload(
  client: Client,
  bundle: Bundle,
  target: Pick<NewAdoption, 'name' | 'host'>,
  { io, bar }: { io: Io; bar: Bar },
): Promise<Reply<AdoptedStack>> {
  const list = unfinished(io)
  const key = [client.server, target.host ?? '', target.name, bundle.sha256].join(' ')
  const begun = (await list.find(key, client)) ?? (await begin(client, bundle, target))
  await list.keep(key, begun.adoption)
  try {
    await sendParts(client, bundle, begun, bar)
  } catch (error) {
    if (!isPassing(error)) throw error
    const { message } = error as CliFailure
    throw new CliFailure(1, message, {
      hint: 'the uploaded parts are kept for a day: run the same command to resume',
      cause: error,
    })
  } finally {
    bar.end()
  }
  const where = path`/stacks/adopt/${begun.adoption.adoption_id}/complete`
  const options = { body: { sha256: bundle.sha256 }, patience: 0 }
  try {
    return await again(() => client.post<AdoptedStack>(where, options))
  } finally {
    await list.forget(key)
  }
}

async function begin(
  client: Client,
  { size }: Bundle,
  target: Pick<NewAdoption, 'name' | 'host'>,
): Promise<Begun> {
  const body: NewAdoption = { ...target, size }
  const { value } = await client.post<Adoption>('/stacks/adopt', { body })
  return { adoption: value, received: new Set() }
}

async function sendParts(client: Client, bundle: Bundle, begun: Begun, bar: Bar): Promise<void> {
  const { part_size: partSize, adoption_id: id } = begun.adoption
  const file = await open(bundle.file, 'r')
  try {
    let done = 0
    for (let part = 0; part * partSize < bundle.size; part += 1) {
      const length = Math.min(partSize, bundle.size - part * partSize)
      if (!begun.received.has(part)) {
        const bytes = Buffer.alloc(length)
        await file.read(bytes, 0, length, part * partSize)
        const body = { data: bytes.toString('base64') }
        await again(() => client.put(path`/stacks/adopt/${id}/parts/${String(part)}`, { body }))
      }
      done += length
      bar.show(done, bundle.size)
    }
  } finally {
    await file.close()
  }
}

/** Retries a call. All calls of an adoption are idempotent. */
async function again<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call()
    } catch (error) {
      if (!isPassing(error) || tries >= triesMax) throw error
      await pause(wait)
    }
  }
}

/** Returns true if there was no response, or the service itself failed. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiFailure) return error.status >= 500
  return error instanceof CliFailure && error.exitCode === 1
}
