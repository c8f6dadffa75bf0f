import { type BackupRecoveryPorts, recoverBackups } from '../core/backups/runs/recover-backups.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary:
    'Recovers backups whose process died: ends them and starts the containers that they stopped',
  everySeconds: 5,
  run: (ports: BackupRecoveryPorts) => recoverBackups(ports),
})
