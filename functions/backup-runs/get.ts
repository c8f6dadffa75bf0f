import { getRun } from '../core/backups/jobs/job-record.ts'
import { Run } from '../core/backups/runs/run-schema.ts'
import { runView } from '../core/backups/runs/run-view.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import { endpoint } from '../kit/endpoint.ts'
import { readEnded, type WaitPorts, WaitSecondsQuery } from '../kit/wait.ts'
import { RunPath } from './schema.ts'

export default endpoint({
  summary: 'Show a backup or restore run',
  description:
    'While it is running, `progress` shows how far it is. With `wait_seconds` the response is sent when the run has ended, or after that time.',
  access: 'backups:read',
  path: RunPath,
  query: WaitSecondsQuery,
  returns: Run,
  noTimeout: true,
  errors: {
    403: 'The host is outside your scope, or you may not read a source of the run',
    404: 'There is no such backup run',
  },

  async run({ path, query, caller, signal }, ports: Ports) {
    const read = (now: Caller) => getRun(path.id, now, ports)
    const waiting = { caller, access: 'backups:read' as const, signal }
    const run = await readEnded(read, query, waiting, ports)
    return runView(run, await hostNames(ports))
  },
})

type Ports = WaitPorts & Needs<'backupRuns' | 'hosts'>
