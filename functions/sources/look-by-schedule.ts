import { lookAtSources, type SourceLookPorts } from '../core/sources/look-at-source.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Asks the sources of stacks what their references name now',
  everySeconds: 10,
  run: (ports: SourceLookPorts, signal) => lookAtSources(ports, signal),
})
