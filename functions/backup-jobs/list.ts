import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { capped } from '../kit/reply.ts'
import { Job, jobsMax } from './schema.ts'
import { jobView } from './view.ts'

export default endpoint({
  summary: 'List backup jobs',
  description: 'Sorted by name. Secrets of targets are never returned.',
  access: 'backups:read',
  returns: z.array(Job).max(jobsMax),

  async run(_input, { backupJobs }: Needs<'hosts' | 'backupJobs'>) {
    const jobs = await backupJobs.list()
    const byName = jobs.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
    return capped(byName.map(jobView), jobsMax)
  },
})
