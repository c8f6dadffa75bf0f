import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe } from 'vitest'
import type { BackupTarget } from '../../functions/core/backups/target.ts'
import { loopbackDialer } from '../../local/harness/outbound.ts'
import { type S3Server, startS3 } from '../../local/harness/s3-server.ts'
import { type SshServer, startSsh } from '../../local/harness/ssh-server.ts'
import { backupTargets } from '../blobs/targets.ts'
import { memoryBackupTargets } from '../memory/backup-blobs.ts'
import { backupTargetsContract } from './backup-targets.ts'

let directory: string
let s3: S3Server
let ssh: SshServer

beforeAll(async () => {
  directory = mkdtempSync('/tmp/backup-targets-')
  ;[s3, ssh] = await Promise.all([startS3(), startSsh()])
})
afterAll(async () => {
  await Promise.all([s3.close(), ssh.close()])
  rmSync(directory, { recursive: true })
})

const open = (target: BackupTarget) =>
  backupTargets({ directory, dialer: loopbackDialer() }).open(target)
const fresh = () => randomBytes(6).toString('hex')

describe('in memory', () => {
  backupTargetsContract(async () => memoryBackupTargets().open({ kind: 'local', path: '' }))
})

describe('in a directory', () => {
  backupTargetsContract(() => open({ kind: 'local', path: fresh() }))
})

describe('in a bucket of OpenStack Swift', () => {
  // More than one page of a listing is one of 1 000.
  backupTargetsContract(() => open(s3.target({ prefix: fresh() })), { many: 1_100 })
})

describe('on a server of OpenSSH', () => {
  backupTargetsContract(() => open(ssh.target({ path: `${ssh.directory}/${fresh()}` })))
})
