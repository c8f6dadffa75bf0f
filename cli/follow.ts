import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Reply } from './client.ts'
import { ApiFailure, CliFailure, interrupted } from './failure.ts'
import { path } from './http.ts'
import type { Io } from './io.ts'
import type { Progress } from './progress.ts'
import type { Deployment } from './records.ts'

/** Milliseconds between two questions. */
const every = 200
/** A service that is started again finds its deployments within 30 s; what is away for longer is away. */
const awayAtMost = 60_000

/**
 * Asks how a deployment goes until it is over, and shows it. Goes on through a restart of the service. An interrupt ends
 * the following, not the deployment.
 */
export async function followDeployment(
  client: Client,
  started: Reply<Deployment>,
  io: Io,
  progress: Progress,
): Promise<Reply<Deployment>> {
  const stop = new AbortController()
  const undo = io.onInterrupt?.(() => stop.abort())
  try {
    let reply = started
    while (reply.value.status === 'running') {
      progress.show(reply.value)
      await wait(every, stop.signal, reply.value)
      reply = await ask(client, reply, progress, stop.signal)
    }
    progress.show(reply.value)
    return reply
  } finally {
    undo?.()
    progress.end()
  }
}

async function ask(
  client: Client,
  last: Reply<Deployment>,
  progress: Progress,
  signal: AbortSignal,
): Promise<Reply<Deployment>> {
  const { stack, id } = last.value
  const where = path`/stacks/${stack}/deployments/${id}`
  for (let away = 0; ; away += 1000) {
    try {
      return await client.get<Deployment>(where, { patience: 15_000 })
    } catch (error) {
      if (!isPassing(error) || away >= awayAtMost) throw error
      if (away === 0) progress.away('the service does not answer: asking again for up to a minute')
      await wait(1000, signal, last.value)
    }
  }
}

/** No answer, or a trouble of the service's own: it may be starting again. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiFailure) return error.status >= 500
  return error instanceof CliFailure && error.exitCode === 1
}

async function wait(milliseconds: number, signal: AbortSignal, { stack, id }: Deployment) {
  try {
    await pause(milliseconds, undefined, { signal })
  } catch {
    throw interrupted(`the deployment goes on: cli stacks deployments ${stack} ${id}`)
  }
}
