import { z } from 'zod'
import { maySeeJob } from '../core/backups/jobs/run-rights.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { capped } from '../kit/reply.ts'
import { Job, jobsMax } from './schema.ts'
import { jobView } from './view.ts'

export default endpoint({
  summary: 'List backup jobs',
  description:
    'Sorted by name. Jobs with a source that you may not read are left out: a stack needs stacks:read, a volume volumes:read, and ' +
    'the service’s own state settings:manage on every host. Secrets of targets are never returned.',
  access: 'backups:read',
  returns: z.array(Job).max(jobsMax),

  async run({ caller }, { backupJobs, hosts }: Needs<'hosts' | 'backupJobs'>) {
    const jobs = await backupJobs.list()
    const visible = jobs.filter((job) => maySeeJob(job, caller))
    const byName = visible.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
    const nameOf = await hostNames({ hosts })
    return capped(
      byName.map((job) => jobView(job, nameOf)),
      jobsMax,
    )
  },
})
