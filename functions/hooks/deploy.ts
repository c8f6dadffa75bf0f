import type { HookPorts } from '../core/stack-hooks/hook-ports.ts'
import { runHooks } from '../core/stack-hooks/run-hooks.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Deploys the stacks without a source whose hooks were called',
  everySeconds: 2,
  run: (ports: HookPorts, signal) => runHooks(ports, signal),
})
