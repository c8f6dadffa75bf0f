import type { Needs } from '../core/ports/ports.ts'
import { reencryptSecrets } from '../core/secrets/reencrypt.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Re-encrypts values under older keys with the newest one',
  everySeconds: 3,
  run: (ports: Needs<'secrets' | 'leases' | 'clock' | 'background' | 'audit' | 'random' | 'log'>) =>
    reencryptSecrets(ports),
})
