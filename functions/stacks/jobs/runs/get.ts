import type { Needs } from '../../../core/ports/ports.ts'
import { getJob, getRun } from '../../../core/stack-jobs/job-record.ts'
import { getStack } from '../../../core/stacks/stack-record.ts'
import { endpoint } from '../../../kit/endpoint.ts'
import { readEnded, type WaitPorts, WaitSecondsQuery } from '../../../kit/wait.ts'
import { LoggedRun, LogQuery, RunPath } from '../schema.ts'
import { loggedRunView } from '../view.ts'

export default endpoint({
  summary: 'Show a run of a job',
  description:
    'With the end of its log, once it has ended. With `wait_seconds` the response is sent when the run has ended, or after that time.',
  access: 'stacks:read',
  path: RunPath,
  query: WaitSecondsQuery.extend(LogQuery.shape),
  returns: LoggedRun,
  noTimeout: true,
  errors: { 404: 'No stack has that name, or it has no such job, or that has no such run' },

  async run({ path, query, caller, signal }, ports: Ports) {
    const read = async () => {
      const stack = await getStack(path.name, ports)
      return getRun(await getJob(stack, path.job, ports), path.id)
    }
    const waiting = { caller, access: 'stacks:read' as const, signal }
    const run = await readEnded(read, query, waiting, ports)
    return loggedRunView(run, query, ports)
  },
})

type Ports = WaitPorts & Needs<'jobLogs' | 'stackJobs' | 'stacks'>
