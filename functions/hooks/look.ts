import { runSourceHooks, type SourceHookPorts } from '../core/sources/run-source-hooks.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Looks at the sources whose hooks were called, and syncs their stacks',
  everySeconds: 2,
  run: (ports: SourceHookPorts, signal) => runSourceHooks(ports, signal),
})
