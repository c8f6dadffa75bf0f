import { releaseLocks } from '../core/leases/release-locks.ts'
import type { Needs } from '../core/ports/ports.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Releases the locks of changes if the cloud function that held one was killed',
  everySeconds: 5,
  run: (ports: Needs<'background' | 'leases'>) => releaseLocks(ports),
})
