import { type RetentionPorts, sweepStore } from '../core/retention/sweep.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Removes expired items and records beyond their retention',
  everySeconds: 60,
  run: (ports: RetentionPorts, signal) => sweepStore(ports, signal),
})
