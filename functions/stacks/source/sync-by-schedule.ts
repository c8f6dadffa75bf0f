import type { SyncPorts } from '../../core/sources/sync-ports.ts'
import { syncStacks } from '../../core/sources/sync-stacks.ts'
import { schedule } from '../../kit/schedule.ts'

export default schedule({
  summary: 'Brings stacks to what their sources have',
  everySeconds: 10,
  run: (ports: SyncPorts, signal) => syncStacks(ports, signal),
})
