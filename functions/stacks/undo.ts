import { undoUpdate } from '../core/apply-updates/undo-update.ts'
import type { ApplyPorts } from '../core/apply-updates/update-ports.ts'
import { Run, runExample } from '../core/backups/runs/run-schema.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { acceptedRun, endedRun } from '../kit/run-reply.ts'
import { NoWaitQuery, operationHeaders } from '../kit/wait.ts'
import { StackPath } from './schema.ts'

export default endpoint({
  summary: 'Undo an update with its data',
  description:
    'Takes the last update of the stack back in one operation: its files, images and volumes are those of the backup that was made before the update. ' +
    'Offered for a day, while nothing else changed the stack: see `last_update.undo` of the stack. What was written since the update is kept in volumes, which `warnings` names. ' +
    'No update applies these images again until you allow it. With wait=true the response is sent when the run has ended, even if it failed: see `status`, `error` and `reason`. ' +
    'Otherwise follow it with GET /backup-runs/{id}. A restore that fails is tried again. Also needs the permissions to restore the stack.',
  access: 'stacks:deploy',
  atService: true,
  path: StackPath,
  query: NoWaitQuery,
  returns: Run,
  status: 202,
  otherResponses: { 200: 'With wait=true: the run has ended' },
  responseHeaders: operationHeaders(200),
  noTimeout: true,
  errors: {
    403: 'The host is outside your scope, or you lack a permission for the restore',
    404: 'No stack has that name',
    409: 'No update with a checkpoint was made within the last day, something changed the stack since, the backup is gone, or the update is being taken back already',
    422: 'The backup is damaged or encrypted with another key',
  },
  examples: { returns: { ...runExample, kind: 'restore', restores: runExample.id } },

  async run({ path, query, caller }, ports: ApplyPorts) {
    const stack = await getStack(path.name, ports)
    const nameOf = await hostNames(ports)
    const started = await undoUpdate(stack, caller, ports)
    return query.wait ? endedRun(await started.finished, nameOf) : acceptedRun(started.run, nameOf)
  },
})
