import { requireVolumes } from '../core/backups/jobs/approve-volumes.ts'
import { requireJob } from '../core/backups/jobs/check-job.ts'
import { getJob } from '../core/backups/jobs/job-record.ts'
import { leaseHeld, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { removeMatching } from '../kit/entity-tag.ts'
import { JobPath } from './schema.ts'
import { jobEdition } from './view.ts'

export default endpoint({
  summary: 'Delete a backup job',
  description:
    'Its backups and runs are kept: they can still be verified and restored. You need the permissions to create the job.',
  access: 'backups:manage',
  // A function cannot tell whether the process that runs the job has ended.
  atService: true,
  path: JobPath,
  takesIfMatch: true,
  errors: {
    403: 'The host is outside your scope, or you lack a permission for what the job does',
    404: 'There is no such backup job',
    409: 'A run of the job is in progress',
  },

  async run({ path, caller, ifMatch }, ports: Ports) {
    const job = await getJob(path.id, ports)
    requireJob(job, caller)
    ifMatch.check(jobEdition(job))
    await requireVolumes(job.volumes, 'backup', caller, ports)
    if ((await ports.leases.peek(`backup:${job.id}`)).held) {
      throw leaseHeld(`backup job ${job.name}: a run is in progress`)
    }
    if (!(await removeMatching(job, ports.backupJobs, ifMatch)))
      throw notFound('there is no such backup job')
    return undefined
  },
})

type Ports = Needs<'hosts' | 'backupJobs' | 'leases' | 'settings' | 'stacks'>
