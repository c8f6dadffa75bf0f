import type { Client, Reply } from '../api/client.ts'
import type { BackupRun } from '../api/types.ts'
import { failed } from '../failure.ts'
import type { Io } from '../io.ts'
import { makeRunProgress } from '../output/backup-run-progress.ts'
import type { Printer } from '../output/print.ts'
import { clean } from '../output/text.ts'
import { pollUntilDone } from './poll.ts'

interface Following {
  client: Client
  print: Printer
  io: Io
}

/**
 * Shows a backup or restore on standard error until it ends, and prints its result. Throws a
 * `CliFailure` if it did not succeed.
 */
export async function followRun(
  started: Reply<BackupRun>,
  following: Following,
  summaryOf: (run: BackupRun) => string,
): Promise<void> {
  const ended = await untilEnded(started, following)
  following.print.reply(ended, (run) => {
    if (run.status === 'succeeded') following.print.line(summaryOf(run))
  })
  requireSuccess(ended.value)
}

/**
 * Shows a backup on standard error until it ends. Prints no result. Throws a `CliFailure` if it did
 * not succeed.
 */
export async function awaitRun(started: Reply<BackupRun>, following: Following): Promise<void> {
  requireSuccess((await untilEnded(started, following)).value)
}

async function untilEnded(started: Reply<BackupRun>, { client, print, io }: Following) {
  const { id, kind } = started.value
  const operation = {
    request: (options: { timeout: number; signal: AbortSignal }) =>
      client.get('/backup-runs/{id}', { path: { id }, ...options }),
    progress: makeRunProgress(io, print.progress),
    stoppedMessage: `the ${kind} continues: cli backups runs ${id}`,
  }
  const ended = await pollUntilDone(started, operation, io)
  for (const warning of ended.value.warnings) print.note(`warning: ${clean(warning)}`)
  return ended
}

function requireSuccess({ kind, status, error, reason }: BackupRun): void {
  if (status === 'succeeded') return
  const words = status === 'failed' ? `the ${kind} failed` : `the ${kind} was ${status}`
  const message = error ? `${words}: ${clean(error)}` : words
  throw failed(message, { reason: reason ?? undefined })
}

/** Says how to follow a backup or restore that has started. */
export const sayRunStarted = (started: Reply<BackupRun>, print: Printer): void =>
  print.reply(started, ({ id }) => print.line(`started: cli backups runs ${id}`))
