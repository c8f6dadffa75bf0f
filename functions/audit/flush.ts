import type { Needs } from '../core/ports.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Keeps the refused attempts that were counted together',
  everySeconds: 60,
  run: ({ audit }: Needs<'audit'>) => audit.flush(),
})
