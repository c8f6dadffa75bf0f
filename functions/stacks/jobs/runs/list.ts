import type { Needs } from '../../../core/ports/ports.ts'
import { getJob } from '../../../core/stack-jobs/job-record.ts'
import { getStack } from '../../../core/stacks/stack-record.ts'
import { endpoint } from '../../../kit/endpoint.ts'
import { JobPath, LogQuery, Runs } from '../schema.ts'
import { loggedRunView } from '../view.ts'

export default endpoint({
  summary: 'List the runs of a job',
  description:
    'The newest first, at most `keep_runs` of the job, each with the end of its log. A run that is in progress has no log yet.',
  access: 'stacks:read',
  path: JobPath,
  query: LogQuery,
  returns: Runs,
  errors: { 404: 'No stack has that name, or it has no such job' },

  async run({ path, query }, ports: Needs<'jobLogs' | 'stackJobs' | 'stacks'>) {
    const { runs } = await getJob(await getStack(path.name, ports), path.job, ports)
    return await Promise.all(runs.map((run) => loggedRunView(run, query, ports)))
  },
})
