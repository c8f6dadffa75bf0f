import type { Needs } from '../../core/ports/ports.ts'
import { getJob } from '../../core/stack-jobs/job-record.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { versioned } from '../../kit/reply.ts'
import { Job, JobPath } from './schema.ts'
import { jobEdition, jobView } from './view.ts'

export default endpoint({
  summary: 'Show a job of a stack',
  access: 'stacks:read',
  path: JobPath,
  returns: Job,
  errors: { 404: 'No stack has that name, or it has no such job' },

  async run({ path }, ports: Needs<'stackJobs' | 'stacks'>) {
    const job = await getJob(await getStack(path.name, ports), path.job, ports)
    return versioned(jobView(job), jobEdition(job))
  },
})
