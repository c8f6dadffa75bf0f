import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Reply } from './client.ts'
import { ApiFailure, CliFailure, interrupted } from './failure.ts'
import { path } from './http.ts'
import type { Io } from './io.ts'
import type { Progress } from './progress.ts'
import type { Deployment } from './records.ts'

/** Milliseconds between two polls. */
const every = 200
/** A restarted service resumes its deployments within 30 s. After this time it counts as gone. */
const awayAtMost = 60_000

/** Shows progress on standard error. */
export interface Shown<T> {
  show(value: T): void
  /** Says why there is no progress for a while. */
  away(why: string): void
  end(): void
}

/** What is followed: its path, how it is shown, and the message for a user who stops following. */
export interface Followed<T> {
  where: string
  io: Io
  progress: Shown<T>
  goesOn: string
}

/** Follows a deployment. */
export function followDeployment(
  client: Client,
  started: Reply<Deployment>,
  io: Io,
  progress: Progress,
): Promise<Reply<Deployment>> {
  const { stack, id } = started.value
  const where = path`/stacks/${stack}/deployments/${id}`
  const goesOn = `the deployment continues: cli stacks deployments ${stack} ${id}`
  return follow(client, started, { where, io, progress, goesOn })
}

/**
 * Polls until the status is no longer `running`, and shows the progress. Continues through a
 * restart of the service. An interrupt stops the polling, not the operation.
 */
export async function follow<T extends { status: string }>(
  client: Client,
  started: Reply<T>,
  followed: Followed<T>,
): Promise<Reply<T>> {
  const { io, progress } = followed
  const stop = new AbortController()
  const undo = io.onInterrupt?.(() => stop.abort())
  try {
    let reply = started
    while (reply.value.status === 'running') {
      progress.show(reply.value)
      await wait(every, stop.signal, followed)
      reply = await ask(client, followed, stop.signal)
    }
    progress.show(reply.value)
    return reply
  } finally {
    undo?.()
    progress.end()
  }
}

async function ask<T>(
  client: Client,
  followed: Followed<T>,
  signal: AbortSignal,
): Promise<Reply<T>> {
  for (let away = 0; ; away += 1000) {
    try {
      return await client.get<T>(followed.where, { patience: 15_000 })
    } catch (error) {
      if (!isPassing(error) || away >= awayAtMost) throw error
      const words = 'the service does not respond: retrying for up to a minute'
      if (away === 0) followed.progress.away(words)
      await wait(1000, signal, followed)
    }
  }
}

/** Returns true if there was no response or the service itself failed, as while it restarts. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiFailure) return error.status >= 500
  return error instanceof CliFailure && error.exitCode === 1
}

async function wait<T>(milliseconds: number, signal: AbortSignal, { goesOn }: Followed<T>) {
  try {
    await pause(milliseconds, undefined, { signal })
  } catch {
    throw interrupted(goesOn)
  }
}
