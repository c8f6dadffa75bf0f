import { getJob } from '../core/backups/jobs.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Job, JobPath } from './schema.ts'
import { jobView } from './view.ts'

export default endpoint({
  summary: 'Show a backup job',
  access: 'backups:read',
  path: JobPath,
  returns: Job,
  errors: { 404: 'There is no such backup job' },

  async run({ path }, ports: Needs<'hosts' | 'backupJobs'>) {
    return jobView(await getJob(path.id, ports))
  },
})
