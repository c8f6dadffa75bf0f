import { z } from 'zod'
import { maySeeJob } from '../core/backups/jobs/run-rights.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { after, nextByNameHeader } from '../kit/params.ts'
import { pagedByName } from '../kit/reply.ts'
import { Job, jobsMax } from './schema.ts'
import { jobView } from './view.ts'

export default endpoint({
  summary: 'List backup jobs',
  description:
    'Sorted by name. Jobs with a source that you may not read are left out: a stack needs stacks:read, a volume volumes:read, and ' +
    'the service’s own state settings:manage on every host. Secrets of targets are never returned.',
  access: 'backups:read',
  query: z.object({ after }),
  returns: z.array(Job).max(jobsMax),
  responseHeaders: nextByNameHeader,

  async run({ query, caller }, { backupJobs, hosts }: Needs<'hosts' | 'backupJobs'>) {
    const jobs = await backupJobs.list()
    const visible = jobs.filter((job) => maySeeJob(job, caller))
    const hostName = await hostNames({ hosts })
    const shown = visible.map((job) => jobView(job, hostName))
    const nameOf = ({ name }: { name: string }) => name.toLowerCase()
    shown.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    return pagedByName(shown, { cap: jobsMax, nameOf, after: query.after?.toLowerCase() })
  },
})
