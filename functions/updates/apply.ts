import { applyUpdates } from '../core/apply-updates/apply-updates.ts'
import type { ApplyPorts } from '../core/apply-updates/update-ports.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Takes newer images as the policies of stacks say, watches them and takes bad ones back',
  everySeconds: 15,
  run: (ports: ApplyPorts, signal) => applyUpdates(ports, signal),
})
