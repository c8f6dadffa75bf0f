import type { BeginPorts } from '../core/backups/begin.ts'
import { runDueBackups } from '../core/backups/due.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Starts the backups that are due',
  everySeconds: 5,
  run: (ports: BeginPorts) => runDueBackups(ports),
})
