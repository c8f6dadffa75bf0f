import { getJob } from '../core/backups/jobs/job-record.ts'
import { requireRunnable } from '../core/backups/jobs/require-runnable.ts'
import { Run, runExample } from '../core/backups/runs/run-schema.ts'
import { type BackupPorts, startBackup } from '../core/backups/runs/start-backup.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import { endpoint } from '../kit/endpoint.ts'
import { acceptedRun, endedRun } from '../kit/run-reply.ts'
import { NoWaitQuery, operationHeaders } from '../kit/wait.ts'
import { JobPath } from './schema.ts'

export default endpoint({
  summary: 'Run a backup job',
  description:
    'The run starts at once, even if the schedule is disabled. With wait=true the response is sent when it has ended, even if it failed: see `status`, `error` and `reason`. Otherwise follow it with GET /backup-runs/{id}. You need the permissions to create the job, but it acts as the account that saved it.',
  access: 'backups:manage',
  atService: true,
  path: JobPath,
  query: NoWaitQuery,
  returns: Run,
  status: 202,
  otherResponses: { 200: 'With wait=true: the run has ended' },
  responseHeaders: operationHeaders(200),
  noTimeout: true,
  errors: {
    403: 'The host is outside your scope, you lack a permission for what the job does, or you may not enter the container of a hook',
    404: 'There is no such backup job',
    409: 'A run of the job is in progress, or the job is blocked: `acts_as` says why',
  },
  examples: { returns: runExample },

  async run({ path, query, caller }, ports: BackupPorts) {
    const job = await getJob(path.id, ports)
    await requireRunnable(job, caller, ports)
    const nameOf = await hostNames(ports)
    const started = await startBackup(job, caller.account.username, ports)
    return query.wait ? endedRun(await started.finished, nameOf) : acceptedRun(started.run, nameOf)
  },
})
