import { judgeStacks } from '../core/stacks/judge.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Names the stacks that their deployers may no longer deploy, as after an upgrade',
  everySeconds: 600,
  run: judgeStacks,
})
