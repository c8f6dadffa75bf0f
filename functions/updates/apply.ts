import { applyUpdates } from '../core/apply-updates/apply-updates.ts'
import type { ApplyPorts } from '../core/apply-updates/update-ports.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary:
    'Applies newer images as the policies of stacks say, watches them and rolls bad ones back',
  everySeconds: 15,
  run: (ports: ApplyPorts, signal) => applyUpdates(ports, signal),
})
