import type { DueBackupPorts } from '../core/backups/runs/start-due-backup.ts'
import { startDueBackups } from '../core/backups/runs/start-due-backups.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Starts the backups that are due',
  everySeconds: 5,
  run: (ports: DueBackupPorts) => startDueBackups(ports),
})
