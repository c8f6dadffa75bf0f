import type { Needs } from '../core/ports/ports.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Writes the counted refused attempts to the audit log',
  everySeconds: 60,
  run: ({ audit }: Needs<'audit'>) => audit.flush(),
})
