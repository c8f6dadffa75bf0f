import { sweepOneOffs } from '../../core/one-offs/sweep.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { schedule } from '../../kit/schedule.ts'

export default schedule({
  summary: 'Removes one-off containers that have no feed',
  everySeconds: 5,
  run: (ports: Needs<'background' | 'engines' | 'leases' | 'log' | 'oneOffs'>) =>
    sweepOneOffs(ports),
})
