import type { Client } from '../../api/client.ts'
import type { BackupRun } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { olderThan, rangeFlags, rangeQuery } from '../../flags/range-flags.ts'
import type { Printer } from '../../output/print.ts'
import { statusStyle } from '../../output/status-style.ts'
import { bytes, moment, tookOf } from '../../output/units.ts'
import { findJob, findRun } from '../../resolve/find.ts'
import { hostOf } from '../../resolve/host.ts'

const args = '[run]'
const ownFlags = {
  '--job <job>': 'Only runs of this job, by name or id',
  ...rangeFlags,
} as const

export default command({
  args,
  flags: ownFlags,
  list: true,
  details:
    '\nLists runs, newest first. Given an id or its beginning, shows that run and its contents.',
  examples: ['cli backups runs --job nightly'],
  run: runs,
})

async function runs({ args: { run }, flags, client, print }: Call<typeof args, typeof ownFlags>) {
  const range = rangeQuery(flags, Date.now())
  const service = await client()
  if (run !== undefined) return printRun(service, run, print)
  const job = flags.job === undefined ? undefined : await findJob(service, flags.job)
  const query = { job_id: job?.id, ...range }
  const shown = (found: BackupRun[]) =>
    print.table(found, [
      { head: 'ID', text: (run) => run.id },
      { head: 'JOB', text: (run) => run.job_name },
      { head: 'KIND', text: (run) => run.kind },
      { head: 'STATUS', text: (run) => run.status, style: statusStyle },
      { head: 'STARTED', text: (run) => moment(run.started_at) },
      { head: 'TOOK', text: (one) => tookOf(one) },
      { head: 'SIZE', text: (run) => (run.size > 0 ? bytes(run.size) : null) },
      { head: 'BY', text: (run) => run.by },
      { head: 'WARNINGS', text: (run) => run.warnings.length || null },
      { head: 'ERROR', text: (run) => run.error },
    ])
  const older = olderThan((run: BackupRun) => run.started_at)
  print.reply(await service.get('/backup-runs', { query }), shown, older)
}

/** Prints the run that a text names. */
export async function printRun(service: Client, text: string, print: Printer): Promise<void> {
  const id = await findRun(service, text)
  const reply = await service.get('/backup-runs/{id}', { path: { id } })
  print.reply(reply, (found) => showOne(found, print))
}

function showOne(run: BackupRun, print: Printer): void {
  print.facts({
    id: run.id,
    job: run.job_name,
    kind: run.kind,
    host: hostOf(run),
    status: run.status,
    error: run.error ?? undefined,
    restores: run.restores ?? undefined,
    started: moment(run.started_at),
    took: tookOf(run),
    by: run.by,
    location: run.location,
    encrypted: run.encrypted ? 'yes' : 'no',
    size: run.size > 0 ? bytes(run.size) : undefined,
    sha256: run.sha256 ?? undefined,
  })
  for (const warning of run.warnings) print.facts({ warning })
  if (run.contents.length === 0) return
  print.line('')
  print.table(run.contents, [
    { head: 'OBJECT', text: (one) => one.name },
    { head: 'KIND', text: (one) => one.kind },
    { head: 'SOURCE', text: (one) => one.source },
    { head: 'FILES', text: (one) => one.files },
    { head: 'SIZE', text: (one) => bytes(one.bytes) },
    { head: 'STORED', text: (one) => bytes(one.size) },
  ])
}
