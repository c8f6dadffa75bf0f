import type { Needs } from '../../core/ports/ports.ts'
import { jobsOf } from '../../core/stack-jobs/job-record.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { StackPath } from '../schema.ts'
import { Jobs } from './schema.ts'
import { jobView } from './view.ts'

export default endpoint({
  summary: 'List the jobs of a stack',
  description:
    'Commands that run in new containers of its services, on a schedule or on request. Sorted by name, with the next time and the latest run of each.',
  access: 'stacks:read',
  path: StackPath,
  returns: Jobs,
  errors: { 404: 'No stack has that name' },

  async run({ path }, ports: Needs<'stackJobs' | 'stacks'>) {
    const stack = await getStack(path.name, ports)
    return (await jobsOf(stack, ports)).map(jobView)
  },
})
