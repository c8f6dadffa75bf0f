import { requireVolumes } from '../core/backups/jobs/approve-volumes.ts'
import { requireJob } from '../core/backups/jobs/check-job.ts'
import { getJob } from '../core/backups/jobs/job-record.ts'
import { conflict, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { JobPath } from './schema.ts'

export default endpoint({
  summary: 'Delete a backup job',
  description:
    'Its backups and runs are kept: they can still be verified and restored. You need the permissions to create the job.',
  access: 'backups:manage',
  // A function cannot tell whether the process that runs the job has ended.
  atService: true,
  path: JobPath,
  errors: {
    403: 'The host is outside your scope, or you lack a permission for what the job does',
    404: 'There is no such backup job',
    409: 'A run of the job is in progress',
  },

  async run({ path, caller }, ports: Ports) {
    const job = await getJob(path.id, ports)
    requireJob(job, caller)
    await requireVolumes(job.volumes, 'backup', caller, ports)
    if ((await ports.leases.peek(`backup:${job.id}`)).held) {
      throw conflict(`backup job ${job.name}: a run is in progress`, { reason: 'lease-held' })
    }
    if (!(await ports.backupJobs.remove(job.id))) throw notFound('there is no such backup job')
    return undefined
  },
})

type Ports = Needs<'hosts' | 'backupJobs' | 'leases' | 'settings' | 'stacks'>
