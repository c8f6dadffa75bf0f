import { internalError, publicMessage } from '../../errors.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import { withDeadline } from '../../time/deadline.ts'
import { type HookWork, runHook } from './hook.ts'
import type { RunRecorder } from './recorder.ts'

/** Milliseconds for the `after` hook while the service shuts down. */
const lastHookDeadline = 5000

interface HookContext extends HookWork {
  recorder: RunRecorder
  signal: AbortSignal
}

/**
 * Runs `read` between the hooks of a job and returns its value. The `after` hook runs even after a
 * failure or during shutdown, because it may release what the `before` hook locked. If only that
 * hook fails, the data is complete, and `trouble` says what happened.
 */
export async function withHooks<T>(
  context: HookContext,
  read: () => Promise<T>,
): Promise<{ value: T; trouble?: string }> {
  const { job, recorder } = context
  let done: { value: T } | { error: unknown }
  try {
    recorder.progress({ part: 'hook before' })
    if (job.hooks.before) await runBefore(job.hooks.before, context)
    done = { value: await read() }
  } catch (error) {
    done = { error }
  }
  const trouble = job.hooks.after ? await runAfter(job.hooks.after, context) : undefined
  if ('error' in done) throw done.error
  return { ...done, trouble }
}

type Hook = NonNullable<BackupJob['hooks']['before']>

async function runBefore(hook: Hook, context: HookContext): Promise<void> {
  const { signal } = context
  try {
    await runHook(hook, context, signal)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw internalError(hookMessage('before', error), { cause: error })
  }
}

async function runAfter(hook: Hook, context: HookContext): Promise<string | undefined> {
  const { recorder, signal, ports } = context
  recorder.progress({ part: 'hook after' })
  const run = (own: AbortSignal) => runHook(hook, context, own)
  try {
    await (signal.aborted ? withDeadline(lastHookDeadline, ports.clock, run) : run(signal))
    return undefined
  } catch (error) {
    return hookMessage('after', error)
  }
}

const hookMessage = (which: 'before' | 'after', error: unknown) =>
  `the hook ${which} the backup: ${publicMessage(error, 'the service failed to run it')}`
