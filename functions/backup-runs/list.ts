import { z } from 'zod'
import { maySeeRun } from '../core/backups/jobs/run-rights.ts'
import { Run, RunStatus } from '../core/backups/runs/run-schema.ts'
import { runView } from '../core/backups/runs/run-view.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { nextHeader, RangeQuery, rangeOf } from '../kit/params.ts'
import { paged } from '../kit/reply.ts'

const cap = 200

export default endpoint({
  summary: 'List backup and restore runs',
  description:
    'Newest first. Runs with a source that you may not read are left out: a stack needs stacks:read, a volume volumes:read, and ' +
    'the service’s own state settings:manage on every host.',
  access: 'backups:read',
  query: RangeQuery.extend({
    job_id: z.string().min(1).max(64).optional().meta({ description: 'Only runs of this job' }),
    status: RunStatus.optional().describe('Only runs with this status'),
  }),
  returns: z.array(Run).max(cap),
  responseHeaders: nextHeader,

  async run({ query, caller }, { backupRuns, hosts }: Needs<'hosts' | 'backupRuns'>) {
    const runs = await backupRuns.list({
      ...rangeOf(query),
      jobId: query.job_id,
      where: (run) =>
        (query.status === undefined || run.status === query.status) && maySeeRun(run, caller),
      limit: cap + 1,
    })
    const nameOf = await hostNames({ hosts })
    return paged(
      runs.map((run) => runView(run, nameOf)),
      cap,
    )
  },
})
