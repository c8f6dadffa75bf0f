import type { HookPorts } from '../core/stack-hooks/hook-ports.ts'
import { runFollowedHooks } from '../core/stack-hooks/run-hooks.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Takes what sources have for stacks whose hooks were called, and deploys these',
  everySeconds: 2,
  run: (ports: HookPorts, signal) => runFollowedHooks(ports, signal),
})
