import type { Client, Reply } from './client.ts'
import { failed } from './failure.ts'
import { follow } from './follow.ts'
import { path } from './http.ts'
import type { Io } from './io.ts'
import type { Printer } from './print.ts'
import type { BackupRun } from './records.ts'
import { makeRunProgress } from './run-progress.ts'
import { clean } from './text.ts'

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
  const ended = await follow(client, started, {
    where: path`/backup-runs/${id}`,
    io,
    progress: makeRunProgress(io, print.format),
    goesOn: `the ${kind} continues: cli backups runs ${id}`,
  })
  for (const warning of ended.value.warnings) print.note(`warning: ${clean(warning)}`)
  print.reply(ended, (run) => {
    if (run.status === 'succeeded') print.line(summaryOf(run))
  })
  const { status, error } = ended.value
  if (status !== 'succeeded') {
    const words = status === 'failed' ? `the ${kind} failed` : `the ${kind} was ${status}`
    throw failed(error ? `${words}: ${clean(error)}` : words)
  }
}
