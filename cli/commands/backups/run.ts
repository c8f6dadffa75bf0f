import { type Call, command } from '../../command.ts'
import { findJob } from '../../find-job.ts'
import { path } from '../../http.ts'
import type { BackupRun } from '../../records.ts'
import { followRun } from '../../run-and-show.ts'
import { clean } from '../../text.ts'
import { bytes, duration } from '../../units.ts'

const args = '<job>'
const ownFlags = { '--no-wait': 'Do not wait for it to end' } as const

export default command({
  args,
  flags: ownFlags,
  details: `
Runs a job, given by name or id. Progress is shown on standard error. Exits with 1 if the backup failed. An interrupt
ends the waiting, not the backup.`,
  examples: ['cli backups run nightly'],
  run,
})

async function run({
  args: { job },
  flags,
  client,
  print,
  io,
}: Call<typeof args, typeof ownFlags>) {
  const service = await client()
  const { id } = (await findJob(service, job)).value
  const started = await service.post<BackupRun>(path`/backup-jobs/${id}/run`)
  if (flags.noWait) {
    print.reply(started, (begun) => print.line(`started: cli backups runs ${begun.id}`))
    return
  }
  await followRun(started, { client: service, print, io }, summaryOf)
}

function summaryOf({ job_name, location, progress, size, started_at, finished_at }: BackupRun) {
  const took = duration(Date.parse(finished_at ?? started_at) - Date.parse(started_at))
  const sizes = `${bytes(progress.bytes)}, ${bytes(size)} stored`
  return `${clean(job_name)} is backed up in ${took}: ${sizes} at ${clean(location)}`
}
