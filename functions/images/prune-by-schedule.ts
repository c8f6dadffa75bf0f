import type { ScheduledPrunePorts } from '../core/prune-policies/prune-ports.ts'
import { runPrunePolicies } from '../core/prune-policies/run-policies.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Removes unused images as the prune policies of hosts say',
  everySeconds: 60,
  run: (ports: ScheduledPrunePorts, signal) => runPrunePolicies(ports, signal),
})
