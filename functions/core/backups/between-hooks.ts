import { internalError, publicMessage } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { BackupJob } from '../records/backup-job.ts'
import { withDeadline } from '../time/deadline.ts'
import { runHook } from './hook.ts'
import type { RunRecorder } from './recorder.ts'

/** Milliseconds for the `after` hook while the service shuts down. */
const lastHookDeadline = 5000

interface Hooked {
  job: BackupJob
  engine: Engine
  recorder: RunRecorder
  signal: AbortSignal
  ports: Needs<'clock'>
}

/**
 * Runs `read` between the hooks of a job. The `after` hook runs even after a failure or during
 * shutdown, because it may release what the `before` hook locked. If it fails, the data is complete
 * all the same, and `trouble` says what happened.
 */
export async function betweenHooks<T>(
  hooked: Hooked,
  read: () => Promise<T>,
): Promise<{ value: T; trouble?: string }> {
  const { job, recorder } = hooked
  let done: { value: T } | { error: unknown }
  try {
    recorder.progress({ part: 'hook before' })
    if (job.hooks.before) await runBefore(job.hooks.before, hooked)
    done = { value: await read() }
  } catch (error) {
    done = { error }
  }
  const trouble = job.hooks.after ? await runAfter(job.hooks.after, hooked) : undefined
  if ('error' in done) throw done.error
  return { ...done, trouble }
}

type Hook = NonNullable<BackupJob['hooks']['before']>

async function runBefore(hook: Hook, { job, engine, signal, ports }: Hooked): Promise<void> {
  try {
    await runHook(hook, job, engine, signal, ports)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw internalError(troubleOf('before', error), { cause: error })
  }
}

async function runAfter(hook: Hook, hooked: Hooked): Promise<string | undefined> {
  const { job, engine, recorder, signal, ports } = hooked
  recorder.progress({ part: 'hook after' })
  const run = (own: AbortSignal) => runHook(hook, job, engine, own, ports)
  try {
    await (signal.aborted ? withDeadline(lastHookDeadline, ports.clock, run) : run(signal))
    return undefined
  } catch (error) {
    return troubleOf('after', error)
  }
}

const troubleOf = (which: 'before' | 'after', error: unknown) =>
  `the hook ${which} the backup: ${publicMessage(error, 'the service failed to run it')}`
