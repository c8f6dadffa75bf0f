import type { BackupRun } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { isDetached, noWaitFlag } from '../../flags/detach-flag.ts'
import { followRun, sayRunStarted } from '../../follow/backup-run.ts'
import { clean } from '../../output/text.ts'
import { bytes, duration } from '../../output/units.ts'
import { findJob } from '../../resolve/find.ts'

const args = '<job>'
const ownFlags = noWaitFlag

export default command({
  args,
  flags: ownFlags,
  progress: true,
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
  const { id } = await findJob(service, job)
  const started = await service.post('/backup-jobs/{id}/run', { path: { id } })
  if (isDetached(flags)) return sayRunStarted(started, print)
  await followRun(started, { client: service, print, io }, summaryOf)
}

function summaryOf({ job_name, location, progress, size, started_at, finished_at }: BackupRun) {
  const took = duration(Date.parse(finished_at ?? started_at) - Date.parse(started_at))
  const sizes = `${bytes(progress.bytes)}, ${bytes(size)} stored`
  return `${clean(job_name)} is backed up in ${took}: ${sizes} at ${clean(location)}`
}
