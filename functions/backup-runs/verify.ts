import type { OpenPorts } from '../core/backups/contents/open-backup.ts'
import { verifyBackup } from '../core/backups/contents/verify.ts'
import { getRun } from '../core/backups/jobs/job-record.ts'
import { withReadingLock } from '../core/backups/runs/reading-lock.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { RunPath, Verdict } from './schema.ts'

export default endpoint({
  summary: 'Verify a backup',
  description:
    'Every byte is fetched from the target, checked against its digest, decrypted and decompressed, and the archives are read to the ' +
    'end. The response is sent when this is done, which takes as long as reading the backup.',
  access: 'backups:manage',
  atService: true,
  path: RunPath,
  returns: Verdict,
  changes: false,
  noTimeout: true,
  errors: {
    403: 'The host is outside your scope, or you may not read a source of the run',
    404: 'There is no such backup run',
    409: 'The run did not create a backup, or the backup is being read',
  },
  examples: { returns: { ok: true, files: 1204, bytes: 73400320, problems: [], warnings: [] } },

  async run({ path, caller }, ports: Ports) {
    const run = await getRun(path.id, caller, ports)
    const never = new AbortController().signal
    return withReadingLock(run.id, ports.random.id(), never, ports, (signal) =>
      verifyBackup(run, ports, signal),
    )
  },
})

type Ports = OpenPorts &
  Needs<'background' | 'backupRuns' | 'clock' | 'hosts' | 'leases' | 'random'>
