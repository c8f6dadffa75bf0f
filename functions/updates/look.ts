import { type LookPorts, lookForUpdates } from '../core/updates/look-for-updates.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Asks registries for newer images of the tags that stacks use',
  everySeconds: 15,
  run: (ports: LookPorts, signal) => lookForUpdates(ports, signal),
})
