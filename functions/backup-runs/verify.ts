import type { OpenPorts } from '../core/backups/contents/open-backup.ts'
import { verifyBackup } from '../core/backups/contents/verify.ts'
import { getRun } from '../core/backups/jobs/job-record.ts'
import { readersOfRun } from '../core/backups/jobs/run-rights.ts'
import { withReadingLock } from '../core/backups/runs/reading-lock.ts'
import { hostNameOf } from '../core/hosts/host-name.ts'
import { Operation } from '../core/operations/operation-schema.ts'
import { type OperationPorts, startOperation } from '../core/operations/start-operation.ts'
import type { Needs } from '../core/ports/ports.ts'
import { acceptedOperation } from '../kit/accepted-operation.ts'
import { endpoint } from '../kit/endpoint.ts'
import { operationHeaders, WaitQuery } from '../kit/wait.ts'
import { RunPath, Verdict } from './schema.ts'

export default endpoint({
  summary: 'Verify a backup',
  description:
    'Every byte is fetched from the target, checked against its digest, decrypted and decompressed, and the archives are read to the ' +
    'end. The response is sent when this is done, which takes as long as reading the backup; with `wait=false` it is sent at once.',
  access: 'backups:manage',
  atService: true,
  path: RunPath,
  query: WaitQuery,
  returns: Verdict,
  accepts: Operation,
  otherResponses: { 202: 'With wait=false: the backup is being read' },
  responseHeaders: operationHeaders(),
  changes: false,
  noTimeout: true,
  errors: {
    403: 'The host is outside your scope, or you may not read a source of the run',
    404: 'There is no such backup run',
    409: 'The run did not create a backup, or the backup is being read',
  },
  examples: { returns: { ok: true, files: 1204, bytes: 73400320, problems: [], warnings: [] } },

  async run({ path, query, caller }, ports: Ports) {
    const run = await getRun(path.id, caller, ports)
    const readerId = ports.random.id()
    const verify = async (signal: AbortSignal) => ({ ...(await verifyBackup(run, ports, signal)) })
    const never = new AbortController().signal
    if (query.wait) return withReadingLock(run.id, readerId, never, ports, verify)
    const request = {
      kind: 'backup_verify',
      subject: { kind: 'backup_run', id: run.id, name: run.jobName },
      hostId: run.hostId,
      hostName: await hostNameOf(run.hostId, ports),
      readers: readersOfRun(run),
    } as const
    const started = startOperation(request, caller, ports, (execute, ending) =>
      withReadingLock(run.id, readerId, ending, ports, (reading) => execute(verify, reading)),
    )
    return acceptedOperation(await started)
  },
})

type Ports = OpenPorts & OperationPorts & Needs<'backupRuns' | 'hosts'>
