import { bindAccount } from '../../core/acts-as/bind-account.ts'
import { requireWholeAccount } from '../../core/acts-as/require-whole-account.ts'
import { conflict } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import type { StackJob } from '../../core/records/stack-job.ts'
import { type CheckJobPorts, checkJobService } from '../../core/stack-jobs/check-job.ts'
import { nextRunOf } from '../../core/stack-jobs/decide-job.ts'
import { jobId, jobsOf } from '../../core/stack-jobs/job-record.ts'
import { jobsMax } from '../../core/stack-jobs/limits.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { created, createdHeaders } from '../../kit/location.ts'
import { StackPath } from '../schema.ts'
import { jobFields } from './fields.ts'
import { CreateJobBody, Job } from './schema.ts'
import { jobView } from './view.ts'

export default endpoint({
  summary: 'Create a job of a stack',
  description:
    'Each run is a one-off container, as `POST /stacks/{name}/services/{service}/run` creates it: as the service was last deployed, without restarts and ports, removed at its end. ' +
    'The job acts as you: each run has the rights that your account has then, and the policy is that of a deploy. ' +
    'A scheduled run is skipped while the last one goes on, and while the stack or the service is stopped or paused. The services that it depends on must be up.',
  access: 'containers:exec',
  path: StackPath,
  body: CreateJobBody,
  returns: Job,
  status: 201,
  responseHeaders: createdHeaders,
  errors: {
    403: 'The policy refuses the service, or the credential is an API token that may do less than its account',
    404: 'No stack or service has that name',
    409: 'The stack has a job with that name, or the most jobs that it may have',
    422: 'The files of the stack do not load',
  },

  async run({ path, body, caller }, ports: Ports) {
    const stack = await getStack(path.name, ports)
    await checkJobService(stack, body.service, caller, ports)
    await requireWholeAccount(caller, 'a job', ports)
    if ((await jobsOf(stack, ports)).length >= jobsMax) {
      throw conflict(`stack ${stack.id}: the limit of ${jobsMax} jobs is reached`, {
        reason: 'limit',
      })
    }
    const now = ports.clock.now()
    const fields = jobFields(body)
    const job: StackJob = {
      ...fields,
      id: jobId(stack.id, body.job),
      stack: stack.id,
      name: body.job,
      actsAs: await bindAccount(caller.account, [stack.id], ports),
      nextRunAt: nextRunOf(fields, now),
      runs: [],
      skipped: null,
      createdAt: now,
      updatedAt: now,
    }
    if (!(await ports.stackJobs.create(job))) {
      throw conflict(`stack ${stack.id}: it has a job named ${job.name} already`, {
        reason: 'exists',
      })
    }
    return created(jobView(job), 'stacks', stack.id, 'jobs', job.name)
  },
})

type Ports = CheckJobPorts & Needs<'accounts' | 'clock' | 'roles' | 'stackJobs' | 'stacks'>
