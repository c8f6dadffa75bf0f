import {
  type ApprovePorts,
  approveVolumes,
  requireVolumes,
} from '../core/backups/jobs/approve-volumes.ts'
import { contentFields } from '../core/backups/jobs/bind-earlier-jobs.ts'
import { checkContents, requireJob } from '../core/backups/jobs/check-job.ts'
import { requireHookRights, requireSavedHooks } from '../core/backups/jobs/hook-rights.ts'
import { bindJob } from '../core/backups/jobs/job-account.ts'
import { getJob } from '../core/backups/jobs/job-record.ts'
import { nextOf } from '../core/backups/jobs/job-schedule.ts'
import { conflict, invalid } from '../core/errors.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import { targetHost } from '../core/hosts/target.ts'
import type { EntryPorts } from '../core/owners/enter-container.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { BackupJob } from '../core/records/backup-job.ts'
import { scheduleProblem } from '../core/time/schedule.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { jobFields } from './fields.ts'
import { Job, JobPath, UpdateJobBody } from './schema.ts'
import { targetFrom } from './target.ts'
import { jobEdition, jobView } from './view.ts'

export default endpoint({
  summary: 'Update a backup job',
  description:
    'Omitted fields keep their values, including the secrets of a target as long as the target stays the same. `hooks`, `retention`, `target` and `sources` are replaced whole. A run in progress is not affected. ' +
    'You need the permissions for what the job did before and for what it does afterwards. A request with host, sources, target, ' +
    'encrypt, hooks or stop_services says what the job does, even if nothing changes: from then on the job acts as you, and a job ' +
    'that was blocked runs again.',
  access: 'backups:manage',
  atService: true,
  path: JobPath,
  takesIfMatch: true,
  body: UpdateJobBody,
  returns: Job,
  errors: {
    403: 'The host is outside your scope, you lack a permission for what the job does, or you may not enter the container of a hook',
    404: 'There is no such backup job, host, stack or volume',
    409: 'A backup job with that name exists, the job is being changed by another request, or a volume is a part of the service itself',
    422: 'A source is on another host, or a stack does not have the named service',
  },

  async run({ path, body, caller, ifMatch }, ports: Ports) {
    const before = await getJob(path.id, ports)
    const { hostId, revision, ...kept } = before
    const host = body.host === undefined ? undefined : await targetHost(body.host, caller, ports)
    const target = body.target ? targetFrom(body.target, before.target) : before.target
    const changed = jobFields({
      ...kept,
      stop_services: kept.stopServices,
      retention: { keep_last: kept.retention.keepLast, keep_days: kept.retention.keepDays },
      ...body,
      target,
    })
    const now = ports.clock.now()
    const job: BackupJob = { ...kept, ...changed, hostId: host?.id ?? hostId, updatedAt: now }
    const problem = job.schedule === null ? undefined : scheduleProblem(job.schedule, job.timezone)
    if (problem) throw invalid(`body.schedule: ${problem}`)
    requireJob(before, caller)
    ifMatch.check(jobEdition(before))
    await requireVolumes(before.volumes, 'backup', caller, ports)
    requireJob(job, caller)
    await requireSavedHooks(before, caller, ports)
    if (contentFields.some((field) => body[field] !== undefined)) {
      job.hookRights = await requireHookRights(job, caller, ports)
      await checkContents(job, ports)
      const isElsewhere = JSON.stringify(target) !== JSON.stringify(before.target)
      job.volumes = await approveVolumes(job, caller, isElsewhere ? undefined : before, ports)
      job.actsAs = await bindJob(job, caller.account, ports)
    }
    const nameOf = await hostNames(ports)
    const next = { ...job, nextRunAt: nextOf(job, now), revision }
    if (await ports.backupJobs.replace(next))
      return versioned(jobView(next, nameOf), jobEdition(next))
    const isTaken = body.name !== undefined && body.name.toLowerCase() !== before.name.toLowerCase()
    throw conflict(
      isTaken
        ? `a backup job named ${body.name} already exists, or this one is being changed by another request`
        : 'it is being changed by another request: try again',
      { reason: 'exists' },
    )
  },
})

type Ports = ApprovePorts & EntryPorts & Needs<'backupJobs' | 'clock' | 'hosts'>
