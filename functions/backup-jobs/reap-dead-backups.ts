import { type ReapPorts, reapBackups } from '../core/backups/reap-backups.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Fails the backups of processes that died and starts the services that they stopped',
  everySeconds: 5,
  run: (ports: ReapPorts) => reapBackups(ports),
})
