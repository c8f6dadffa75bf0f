import { getJob } from '../core/backups/jobs/job-record.ts'
import { requireVisibleJob } from '../core/backups/jobs/run-rights.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { Job, JobPath } from './schema.ts'
import { jobEdition, jobView } from './view.ts'

export default endpoint({
  summary: 'Show a backup job',
  access: 'backups:read',
  path: JobPath,
  returns: Job,
  errors: {
    403: 'The host is outside your scope, or you may not read a source of the job',
    404: 'There is no such backup job',
  },

  async run({ path, caller }, ports: Needs<'hosts' | 'backupJobs'>) {
    const job = await getJob(path.id, ports)
    requireVisibleJob(job, caller)
    return versioned(jobView(job, await hostNames(ports)), jobEdition(job))
  },
})
