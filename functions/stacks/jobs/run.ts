import type { JobRun } from '../../core/records/stack-job.ts'
import { requireRunnable } from '../../core/stack-jobs/check-job.ts'
import type { JobPorts } from '../../core/stack-jobs/job-ports.ts'
import { getJob } from '../../core/stack-jobs/job-record.ts'
import { startJob } from '../../core/stack-jobs/start-job.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { accepted, ended, NoWaitQuery, operationHeaders } from '../../kit/wait.ts'
import { JobPath, LoggedRun } from './schema.ts'
import { loggedRunView } from './view.ts'

export default endpoint({
  summary: 'Run a job of a stack',
  description:
    'The run begins at once, even if the schedule is disabled, and waits while an operation of the stack runs. With wait=true the response is sent when it has ended, even if it failed: see `status` and `error`. ' +
    'You need the rights to run a command in a container of the service, but the job acts as the account that saved it.',
  access: 'containers:exec',
  atService: true,
  path: JobPath,
  query: NoWaitQuery,
  returns: LoggedRun,
  status: 202,
  otherResponses: { 200: 'With wait=true: the run has ended' },
  responseHeaders: operationHeaders(200),
  noTimeout: true,
  errors: {
    403: 'The policy refuses the service',
    404: 'No stack has that name, or it has no such job, or the service is gone, or no registry has its image',
    409: 'A run of the job is in progress, the job is blocked: `acts_as` says why, the stack was never deployed, or something that the service needs is missing',
    422: 'The files of the stack do not load',
  },

  async run({ path, query, caller, signal }, ports: JobPorts) {
    const stack = await getStack(path.name, ports)
    const job = await getJob(stack, path.job, ports)
    await requireRunnable(job, stack, caller, signal, ports)
    const started = await startJob(job, stack, caller.account.username, ports)
    const reply = async (run: JobRun) => {
      const view = await loggedRunView(run, {}, ports)
      // One whose process lost its lease is still running: another process takes it over.
      if (run.status === 'running') {
        return accepted(view, run.id, 'stacks', stack.id, 'jobs', job.name, 'runs', run.id)
      }
      return ended(view, { id: run.id, status: 200, hasFailed: run.status !== 'succeeded' })
    }
    return reply(query.wait ? await started.finished : started.run)
  },
})
