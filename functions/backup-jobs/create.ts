import { type ApprovePorts, approveVolumes } from '../core/backups/jobs/approve-volumes.ts'
import { checkContents, requireJob } from '../core/backups/jobs/check-job.ts'
import { requireHookRights } from '../core/backups/jobs/hook-rights.ts'
import { bindJob } from '../core/backups/jobs/job-account.ts'
import { nextOf } from '../core/backups/jobs/job-schedule.ts'
import { conflict } from '../core/errors.ts'
import { targetHost } from '../core/hosts/target.ts'
import type { EntryPorts } from '../core/owners/enter-container.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { BackupJob } from '../core/records/backup-job.ts'
import { endpoint } from '../kit/endpoint.ts'
import { created, createdHeaders } from '../kit/location.ts'
import { jobFields } from './fields.ts'
import { CreateJobBody, Job, jobsMax } from './schema.ts'
import { targetFrom } from './target.ts'
import { jobView } from './view.ts'

export default endpoint({
  summary: 'Create a backup job',
  description:
    'The job acts as you: each run has the rights that your account has then. You need the permissions for what the job does: a stack needs stacks:read and stacks:secrets, a hook containers:exec, ' +
    'stop_services containers:operate, and the service’s own state settings:manage. A volume of another stack, as a source or ' +
    'as one that a stack uses, needs the permissions to read and deploy that stack, stacks:privileged, or the setting ' +
    'stacks.shared_volumes; a volume that no stack created needs one of the last two.',
  access: 'backups:manage',
  atService: true,
  body: CreateJobBody,
  returns: Job,
  status: 201,
  responseHeaders: createdHeaders,
  errors: {
    403: 'The host is outside your scope, you lack a permission for what the job does, or you may not enter the container of a hook',
    404: 'No host, stack or volume has that name',
    409: 'A backup job with that name exists, the limit of backup jobs is reached, or a source is a part of the service itself',
    422: 'A source is on another host, or a stack does not have the named service',
  },

  async run({ body, caller }, ports: Ports) {
    const host = await targetHost(body.host, caller, ports)
    const now = ports.clock.now()
    const job: BackupJob = {
      ...jobFields({ ...body, target: targetFrom(body.target, undefined) }),
      id: ports.random.id(),
      hostId: host.id,
      nextRunAt: null,
      lastRun: null,
      createdAt: now,
      updatedAt: now,
    }
    requireJob(job, caller)
    await checkContents(job, ports)
    const volumes = await approveVolumes(job, caller, undefined, ports)
    if ((await ports.backupJobs.list()).length >= jobsMax) {
      throw conflict(`the limit of ${jobsMax} backup jobs is reached`, { reason: 'limit' })
    }
    const hookRights = await requireHookRights(job, caller, ports)
    const decided = { ...job, volumes, hookRights, nextRunAt: nextOf(job, now) }
    const ready = { ...decided, actsAs: await bindJob(decided, caller.account, ports) }
    if (!(await ports.backupJobs.create(ready))) {
      throw conflict(`a backup job named ${job.name} already exists`, { reason: 'exists' })
    }
    return created(
      jobView(ready, () => host.name),
      'backup-jobs',
      ready.id,
    )
  },
})

type Ports = ApprovePorts & EntryPorts & Needs<'backupJobs' | 'clock' | 'hosts' | 'random'>
