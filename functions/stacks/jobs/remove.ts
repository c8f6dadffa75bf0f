import { leaseHeld, notFound } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { getJob, jobLease } from '../../core/stack-jobs/job-record.ts'
import { removeLogs } from '../../core/stacks/stack-jobs.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { removeMatching } from '../../kit/entity-tag.ts'
import { JobPath } from './schema.ts'
import { jobEdition } from './view.ts'

export default endpoint({
  summary: 'Delete a job of a stack',
  description: 'Also deletes its runs and their logs.',
  access: 'containers:exec',
  // A function cannot tell whether the process that runs the job has ended.
  atService: true,
  path: JobPath,
  takesIfMatch: true,
  errors: {
    404: 'No stack has that name, or it has no such job',
    409: 'A run of the job is in progress',
  },

  async run({ path, ifMatch }, ports: Needs<'jobLogs' | 'leases' | 'stackJobs' | 'stacks'>) {
    const job = await getJob(await getStack(path.name, ports), path.job, ports)
    ifMatch.check(jobEdition(job))
    if ((await ports.leases.peek(jobLease(job))).held) {
      throw leaseHeld(`job ${job.id}: a run is in progress`)
    }
    await removeLogs(job.runs, ports)
    if (!(await removeMatching(job, ports.stackJobs, ifMatch))) {
      throw notFound(`stack ${job.stack}: it has no job ${job.name}`)
    }
    return undefined
  },
})
