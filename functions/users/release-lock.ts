import { releaseAdminLock } from '../core/access/release-admin-lock.ts'
import type { Needs } from '../core/ports/ports.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Releases the lock of admin changes if the cloud function that held it was killed',
  everySeconds: 5,
  run: (ports: Needs<'background' | 'leases'>) => releaseAdminLock(ports),
})
