import { type BeginPorts, beginBackup } from '../core/backups/begin.ts'
import { getJob } from '../core/backups/jobs.ts'
import { Run, runExample } from '../core/backups/run-schema.ts'
import { runView } from '../core/backups/run-view.ts'
import { endpoint } from '../kit/endpoint.ts'
import { JobPath } from './schema.ts'

export default endpoint({
  summary: 'Run a backup job',
  description:
    'The run starts at once, even if the schedule is disabled. Follow it with GET /backup-runs/{id}.',
  access: 'backups:manage',
  path: JobPath,
  returns: Run,
  status: 202,
  fails: { 404: 'There is no such backup job', 409: 'A run of the job is in progress' },
  examples: { returns: runExample },

  async run({ path, caller }, ports: BeginPorts) {
    const job = await getJob(path.id, ports)
    const { run } = await beginBackup(job, caller.account.username, ports)
    return runView(run)
  },
})
