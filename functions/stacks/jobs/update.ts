import { bindAccount } from '../../core/acts-as/bind-account.ts'
import { requireWholeAccount } from '../../core/acts-as/require-whole-account.ts'
import { conflict, invalid } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import type { StackJob } from '../../core/records/stack-job.ts'
import { type CheckJobPorts, checkJobService } from '../../core/stack-jobs/check-job.ts'
import { nextRunOf } from '../../core/stack-jobs/decide-job.ts'
import { changeJob, getJob } from '../../core/stack-jobs/job-record.ts'
import { removeLogs } from '../../core/stacks/stack-jobs.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { scheduleProblem } from '../../core/time/schedule.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { versioned } from '../../kit/reply.ts'
import { jobFields } from './fields.ts'
import { Job, JobPath, UpdateJobBody } from './schema.ts'
import { jobEdition, jobView } from './view.ts'

export default endpoint({
  summary: 'Update a job of a stack',
  description:
    'Omitted fields keep their values. A run in progress is not affected. A request with `service` or `command` says what the job does, even if nothing changes: from then on the job acts as you, and one that was blocked runs again. ' +
    'With fewer `keep_runs`, the oldest runs are removed with their logs.',
  access: 'containers:exec',
  path: JobPath,
  takesIfMatch: true,
  body: UpdateJobBody,
  returns: Job,
  errors: {
    403: 'The policy refuses the service, or the job would act as you and the credential is an API token that may do less than its account',
    404: 'No stack or service has that name, or the stack has no such job',
    409: 'Another request changed the job at the same time',
    422: 'The files of the stack do not load',
  },

  async run({ path, body, caller, ifMatch }, ports: Ports) {
    const stack = await getStack(path.name, ports)
    const before = await getJob(stack, path.job, ports)
    ifMatch.check(jobEdition(before))
    const changed = jobFields({
      service: before.service,
      command: before.command,
      schedule: before.schedule,
      timezone: before.timezone,
      timeout_seconds: before.timeoutSeconds,
      keep_runs: before.keepRuns,
      enabled: before.enabled,
      ...body,
    })
    const problem =
      changed.schedule === null ? undefined : scheduleProblem(changed.schedule, changed.timezone)
    if (problem) throw invalid(`body.schedule: ${problem}`)
    // Another schedule runs what the job does as well. Everyone may turn it off.
    if (!isTurningOff(body)) await checkJobService(stack, changed.service, caller, ports)
    const binds = body.service !== undefined || body.command !== undefined
    if (binds) await requireWholeAccount(caller, 'a job', ports)
    const now = ports.clock.now()
    const written = await write(
      before,
      {
        ...changed,
        ...(binds && { actsAs: await bindAccount(caller.account, [stack.id], ports) }),
        nextRunAt: nextRunOf(changed, now),
        updatedAt: now,
      },
      ports,
    )
    return versioned(jobView(written), jobEdition(written))
  },
})

/**
 * Writes what a user changed. A run that began or ended since the job was read stays.
 *
 * @throws 409 if another user changed the job since
 */
async function write(
  before: StackJob,
  changed: Partial<StackJob> & Pick<StackJob, 'keepRuns'>,
  ports: Needs<'jobLogs' | 'stackJobs'>,
): Promise<StackJob> {
  let cut: StackJob['runs'] = []
  const change = ({ runs, updatedAt }: StackJob) => {
    if (updatedAt !== before.updatedAt) return undefined
    cut = runs.slice(changed.keepRuns)
    return { ...changed, runs: runs.slice(0, changed.keepRuns) }
  }
  const written = await changeJob(before, change, ports)
  if (!written) {
    throw conflict(`job ${before.id}: it is being changed by another request: try again`, {
      reason: 'conflict',
    })
  }
  // The logs go last: a request that is refused must not delete any.
  await removeLogs(cut, ports)
  return written
}

const isTurningOff = (body: { enabled?: boolean | undefined }): boolean =>
  body.enabled === false && Object.keys(body).length === 1

type Ports = CheckJobPorts &
  Needs<'accounts' | 'clock' | 'jobLogs' | 'roles' | 'stackJobs' | 'stacks'>
