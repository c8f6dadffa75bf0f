import { setTimeout as pause } from 'node:timers/promises'
import type { Reply } from '../api/client.ts'
import { interrupted, isTemporary } from '../failure.ts'
import type { Io } from '../io.ts'
import type { Progress } from '../output/progress.ts'

/** Milliseconds. */
const defaultLimits = {
  /** Between two polls. */
  interval: 200,
  /** Without data, after which a poll times out. */
  timeout: 15_000,
  /** Before another attempt while the service does not respond. */
  retryAfter: 1000,
  /** Without a response, after which the service counts as gone. A restart takes less than 30 s. */
  away: 60_000,
}

/** An operation that takes a while. */
export interface Operation<T> {
  /** Requests its current state. The signal is that of an interrupt. */
  request(options: { timeout: number; signal: AbortSignal }): Promise<Reply<T>>
  progress: Progress<T>
  /** The message for a user who stops following it. */
  stoppedMessage: string
  /** Asks the user after an interrupt. Without it, an interrupt stops following. */
  onInterrupt?(): Promise<'leave' | 'stay'>
}

/**
 * Polls until the status is no longer `running`, and shows the progress. Continues through a
 * restart of the service. An interrupt stops the polling, not the operation, unless the user
 * decides otherwise.
 */
export async function pollUntilDone<T extends { status: string }>(
  started: Reply<T>,
  operation: Operation<T>,
  io: Pick<Io, 'onInterrupt'>,
  limits = defaultLimits,
): Promise<Reply<T>> {
  const { progress } = operation
  let reply = started
  try {
    while (reply.value.status === 'running') {
      const stop = new AbortController()
      const undo = io.onInterrupt?.(() => stop.abort())
      try {
        while (reply.value.status === 'running') {
          progress.show(reply.value)
          await wait(limits.interval, stop.signal, operation)
          reply = await poll(operation, stop.signal, limits)
        }
      } catch (error) {
        if (!stop.signal.aborted) throw error
        progress.end()
        if ((await operation.onInterrupt?.()) !== 'stay') throw error
      } finally {
        undo?.()
      }
    }
    progress.show(reply.value)
    return reply
  } finally {
    progress.end()
  }
}

/** Requests the current state once, and again while the service does not respond. */
async function poll<T>(
  operation: Operation<T>,
  signal: AbortSignal,
  limits: typeof defaultLimits,
): Promise<Reply<T>> {
  const end = performance.now() + limits.away
  for (let tries = 1; ; tries += 1) {
    const timeout = Math.max(1, Math.min(limits.timeout, end - performance.now()))
    try {
      return await operation.request({ timeout, signal })
    } catch (error) {
      if (signal.aborted) throw interrupted(operation.stoppedMessage)
      if (!isTemporary(error) || performance.now() + limits.retryAfter > end) throw error
      const words = 'the service does not respond: retrying for up to a minute'
      if (tries === 1) operation.progress.away(words)
      await wait(limits.retryAfter, signal, operation)
    }
  }
}

async function wait<T>(
  milliseconds: number,
  signal: AbortSignal,
  { stoppedMessage }: Operation<T>,
) {
  try {
    await pause(milliseconds, undefined, { signal })
  } catch {
    throw interrupted(stoppedMessage)
  }
}
