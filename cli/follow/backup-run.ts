import type { Client, Reply } from '../api/client.ts'
import type { BackupRun } from '../api/types.ts'
import { failed } from '../failure.ts'
import type { Io } from '../io.ts'
import { makeRunProgress } from '../output/backup-run-progress.ts'
import type { Printer } from '../output/print.ts'
import { clean } from '../output/text.ts'
import { pollUntilDone } from './poll.ts'

/**
 * Shows a backup or restore on standard error until it ends, and prints its result. Throws a
 * `CliFailure` if it did not succeed.
 */
export async function followRun(
  started: Reply<BackupRun>,
  { client, print, io }: { client: Client; print: Printer; io: Io },
  summaryOf: (run: BackupRun) => string,
): Promise<void> {
  const { id, kind } = started.value
  const operation = {
    request: (options: { timeout: number; signal: AbortSignal }) =>
      client.get('/backup-runs/{id}', { path: { id }, ...options }),
    progress: makeRunProgress(io, print.progress),
    stoppedMessage: `the ${kind} continues: cli backups runs ${id}`,
  }
  const ended = await pollUntilDone(started, operation, io)
  for (const warning of ended.value.warnings) print.note(`warning: ${clean(warning)}`)
  print.reply(ended, (run) => {
    if (run.status === 'succeeded') print.line(summaryOf(run))
  })
  const { status, error, reason } = ended.value
  if (status !== 'succeeded') {
    const words = status === 'failed' ? `the ${kind} failed` : `the ${kind} was ${status}`
    const message = error ? `${words}: ${clean(error)}` : words
    throw failed(message, { reason: reason ?? undefined })
  }
}

/** Says how to follow a backup or restore that has started. */
export const sayRunStarted = (started: Reply<BackupRun>, print: Printer): void =>
  print.reply(started, ({ id }) => print.line(`started: cli backups runs ${id}`))
