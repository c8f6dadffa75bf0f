import { getRun } from '../core/backups/jobs/job-record.ts'
import type { RestorePorts } from '../core/backups/restore/restore-work.ts'
import { startRestore } from '../core/backups/restore/start-restore.ts'
import { Run, runExample } from '../core/backups/runs/run-schema.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import { endpoint } from '../kit/endpoint.ts'
import { acceptedRun, endedRun } from '../kit/run-reply.ts'
import { NoWaitQuery, operationHeaders } from '../kit/wait.ts'
import { RestoreBody, RunPath } from './schema.ts'

export default endpoint({
  summary: 'Restore a backup',
  description:
    'A stack is created with its files and volumes and deployed; a volume is created and filled. Existing data is not touched until ' +
    'the complete backup is on the host and verified, and it is kept until the restore is complete. With wait=true the response is sent when the run has ended, ' +
    'even if it failed: see `status`, `error` and `reason`. Otherwise follow it with GET /backup-runs/{id}. A volume needs the permissions to read and deploy the stack that owned it at the backup, ' +
    'stacks:privileged, or the setting stacks.shared_volumes; if no stack created it, one of the last two. Restored alone over ' +
    'an existing one, it needs the same for that one. To restore the state of the service itself, use `npm run restore`.',
  access: 'backups:manage',
  atService: true,
  path: RunPath,
  query: NoWaitQuery,
  body: RestoreBody.default({}),
  returns: Run,
  status: 202,
  otherResponses: { 200: 'With wait=true: the run has ended' },
  responseHeaders: operationHeaders(200),
  noTimeout: true,
  errors: {
    403: 'The host is outside your scope, you may not read a source of the run, or a stack or volume needs a permission that you do not have',
    404: 'There is no such backup run or host, or the backup does not contain the source',
    409: 'A stack or volume with that name exists and overwrite is not set, another restore of it is in progress, the backup is being read, or a volume is a part of the service itself',
    422: 'The backup is damaged or encrypted with another key, or contains only the state of the service',
  },
  examples: { body: {}, returns: { ...runExample, kind: 'restore', restores: runExample.id } },

  async run({ path, query, body, caller }, ports: RestorePorts) {
    const from = await getRun(path.id, caller, ports)
    const { sources, host, stack_name: stackName, overwrite = false } = body
    const request = { sources, host, stackName, overwrite }
    const nameOf = await hostNames(ports)
    const started = await startRestore(from, request, caller, ports)
    return query.wait ? endedRun(await started.finished, nameOf) : acceptedRun(started.run, nameOf)
  },
})
