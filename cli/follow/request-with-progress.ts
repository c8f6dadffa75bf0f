import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Reply } from '../api/client.ts'
import type { Deployment } from '../api/types.ts'
import { CliFailure } from '../failure.ts'
import type { Io } from '../io.ts'
import { makeProgress } from '../output/deployment-progress.ts'
import type { Printer } from '../output/print.ts'

/** Milliseconds between two reads of the steps. */
const pollInterval = 300

/**
 * Makes a request and returns its response, which arrives when the operation has ended. Shows the
 * steps of its deployment meanwhile. A stack runs one operation at a time, so the newest new
 * deployment of this kind belongs to the request.
 */
export async function requestWithProgress<T>(
  { name, kind }: Pick<Deployment, 'kind'> & { name: string },
  request: () => Promise<Reply<T>>,
  { client, print, io }: { client: Client; print: Printer; io: Io },
): Promise<Reply<T>> {
  if (print.progress === 'quiet') return request()
  const progress = makeProgress(io, print.progress)
  const before = new Set(await idsOf(name, kind, client))
  const over = new AbortController()
  try {
    const [reply] = await Promise.all([request().finally(() => over.abort()), follow(over.signal)])
    return reply
  } finally {
    progress.end()
  }

  async function follow(end: AbortSignal): Promise<void> {
    let id: string | undefined
    while (!end.aborted) {
      await waitFor(pollInterval, end)
      id ??= (await idsOf(name, kind, client)).find((one) => !before.has(one))
      const deployment = id && (await read(name, id, client))
      if (deployment) progress.show(deployment)
    }
  }
}

/** Waits for some milliseconds, or until the signal aborts. */
async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(milliseconds, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Returns the ids of the operations of a kind, the newest first. */
async function idsOf(name: string, kind: Deployment['kind'], client: Client): Promise<string[]> {
  const path = { name }
  const found = await whilePossible(client.get('/stacks/{name}/deployments', { path }))
  return (found?.value ?? []).filter((one) => one.kind === kind).map(({ id }) => id)
}

const read = async (name: string, id: string, client: Client) =>
  (await whilePossible(client.get('/stacks/{name}/deployments/{id}', { path: { name, id } })))
    ?.value

/** Returns undefined if a read fails: the main request reports what is wrong. */
async function whilePossible<T>(reply: Promise<Reply<T>>): Promise<Reply<T> | undefined> {
  try {
    return await reply
  } catch (error) {
    if (error instanceof CliFailure) return undefined
    throw error
  }
}
