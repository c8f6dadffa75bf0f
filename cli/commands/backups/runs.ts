import { type Call, command } from '../../command.ts'
import { findJob } from '../../find-job.ts'
import { path } from '../../http.ts'
import type { Printer } from '../../print.ts'
import type { BackupRun } from '../../records.ts'
import { statusStyle } from '../../status-style.ts'
import { bytes, duration, moment } from '../../units.ts'

const args = '[id]'
const ownFlags = { '--job <job>': 'Only runs of this job, by name or id' } as const

export default command({
  args,
  flags: ownFlags,
  details: '\nLists runs, newest first. Given an id, shows that run and its contents.',
  examples: ['cli backups runs --job nightly'],
  run: runs,
})

async function runs({ args: { id }, flags, client, print }: Call<typeof args, typeof ownFlags>) {
  const service = await client()
  if (id !== undefined) {
    const reply = await service.get<BackupRun>(path`/backup-runs/${id}`)
    print.reply(reply, (run) => showOne(run, print))
    return
  }
  const job = flags.job === undefined ? undefined : (await findJob(service, flags.job)).value
  const query = job && { job_id: job.id }
  print.reply(await service.get<BackupRun[]>('/backup-runs', { query }), (found) =>
    print.table(found, [
      { head: 'ID', text: (run) => run.id },
      { head: 'JOB', text: (run) => run.job_name },
      { head: 'KIND', text: (run) => run.kind },
      { head: 'STATUS', text: (run) => run.status, style: statusStyle },
      { head: 'STARTED', text: (run) => moment(run.started_at) },
      { head: 'TOOK', text: tookOf },
      { head: 'SIZE', text: (run) => (run.size > 0 ? bytes(run.size) : null) },
      { head: 'BY', text: (run) => run.by },
      { head: 'ERROR', text: (run) => run.error },
    ]),
  )
}

function showOne(run: BackupRun, print: Printer): void {
  print.facts({
    ...{ id: run.id, job: run.job_name, kind: run.kind, host: run.host, status: run.status },
    ...{ error: run.error ?? undefined, restores: run.restores ?? undefined },
    ...{ started: moment(run.started_at), took: tookOf(run), by: run.by },
    ...{ location: run.location, encrypted: run.encrypted ? 'yes' : 'no' },
    ...{ size: run.size > 0 ? bytes(run.size) : undefined, sha256: run.sha256 ?? undefined },
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

function tookOf({ started_at, finished_at }: BackupRun): string | undefined {
  return finished_at ? duration(Date.parse(finished_at) - Date.parse(started_at)) : undefined
}
