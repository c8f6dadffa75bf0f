import { z } from 'zod'
import { getRun } from '../core/backups/jobs/job-record.ts'
import { Run } from '../core/backups/runs/run-schema.ts'
import { runView } from '../core/backups/runs/run-view.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'

export default endpoint({
  summary: 'Show a backup or restore run',
  description: 'While it is running, `progress` shows how far it is.',
  access: 'backups:read',
  path: z.object({ id: z.string().min(1).max(64).describe('Id of the run') }),
  returns: Run,
  errors: {
    403: 'The host is outside your scope, or you may not read a source of the run',
    404: 'There is no such backup run',
  },

  async run({ path, caller }, ports: Needs<'hosts' | 'backupRuns'>) {
    return runView(await getRun(path.id, caller, ports), await hostNames(ports))
  },
})
