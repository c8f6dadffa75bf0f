import { type BeginPorts, beginDue, isDue } from './begin.ts'

/** Runs that may go on at a time, in all processes together, before one more is begun by itself. */
const runningMax = 4

/** Begins the runs of jobs whose time has come, those that wait longest first. What was missed is made good by one run. */
export async function runDueBackups(ports: BeginPorts): Promise<void> {
  const now = ports.clock.now()
  const due = (await ports.backupJobs.list()).filter((job) => isDue(job, now))
  if (due.length === 0) return
  const unfinished = await ports.backupRuns.listUnfinished()
  let running = unfinished.filter(({ status }) => status === 'running').length
  for (const job of due.sort((a, b) => a.nextRunAt! - b.nextRunAt!)) {
    if (running >= runningMax) return
    try {
      if (await beginDue(job, ports)) running += 1
    } catch (error) {
      ports.log.error('a backup could not be begun', { job: job.id, name: job.name, error })
    }
  }
}
