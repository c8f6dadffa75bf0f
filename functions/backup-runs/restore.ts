import { getRun } from '../core/backups/jobs.ts'
import { beginRestore, type RestorePorts } from '../core/backups/restore/begin.ts'
import { Run, runExample } from '../core/backups/run-schema.ts'
import { runView } from '../core/backups/run-view.ts'
import { endpoint } from '../kit/endpoint.ts'
import { RestoreBody, RunPath } from './schema.ts'

export default endpoint({
  summary: 'Restore a backup',
  description:
    'A stack is created with its files and volumes and deployed; a volume is made and filled. Nothing that is there is touched before ' +
    'all of the backup is on the host and was found whole, and what was there is kept until the new is complete. Follow the run at ' +
    'GET /backup-runs/{id}. The state of the service itself is restored by the program `npm run restore`.',
  access: 'backups:manage',
  path: RunPath,
  body: RestoreBody.default({}),
  returns: Run,
  status: 202,
  waits: true,
  fails: {
    403: 'The host is outside your scope, or the stack does what you may not do',
    404: 'There is no such backup run, host, or source in the backup',
    409: 'Something is there already and overwrite is not set, another restore of it goes on, or somebody else reads the backup',
    422: 'The backup is damaged or for another key, or holds the state of the service alone',
  },
  examples: { body: {}, returns: { ...runExample, kind: 'restore', restores: runExample.id } },

  async run({ path, body, caller }, ports: RestorePorts) {
    const from = await getRun(path.id, ports)
    const { sources, host, stack_name: stackName, overwrite = false } = body
    const { run } = await beginRestore(from, { sources, host, stackName, overwrite }, caller, ports)
    return runView(run)
  },
})
