import { type BackupRecoveryPorts, recoverBackups } from '../core/backups/recover-backups.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Fails the backups of processes that died and starts the services that they stopped',
  everySeconds: 5,
  run: (ports: BackupRecoveryPorts) => recoverBackups(ports),
})
