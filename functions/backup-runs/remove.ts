import { getRun } from '../core/backups/jobs/job-record.ts'
import { removeRun, requireRemovable } from '../core/backups/runs/remove-run.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { RemoveRunQuery, RunPath } from './schema.ts'

export default endpoint({
  summary: 'Delete a backup',
  description:
    'Removes the objects of the backup from its target, and then the run from the list. If the target does not respond, the run stays, and the request can be repeated. ' +
    'A restore has no objects: only its run is removed. You need the permissions to create a job that makes the backup.',
  access: 'backups:manage',
  atService: true,
  path: RunPath,
  query: RemoveRunQuery,
  noTimeout: true,
  errors: {
    403: 'The host is outside your scope, or you lack a permission for what the backup contains',
    404: 'There is no such backup run',
    409: 'The run is in progress, has work left on its host, or its backup is being read',
    422: 'The target is not allowed any more',
  },

  async run({ path, query, caller }, ports: Ports) {
    const run = await getRun(path.id, caller, ports)
    await requireRemovable(run, caller, ports)
    await removeRun(run.id, { keepsObjects: query.force }, ports)
    return undefined
  },
})

type Ports = Needs<
  | ('backupJobs' | 'backupRuns' | 'backupTargets' | 'hosts')
  | ('background' | 'clock' | 'leases' | 'random' | 'settings' | 'stacks')
>
