import type { Needs } from '../core/ports.ts'
import { recoverDeployments } from '../core/stacks/recover.ts'
import type { RunPorts } from '../core/stacks/run.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Resumes the deployments of processes that died, or marks them interrupted',
  everySeconds: 5,
  run: (ports: RunPorts & Needs<'audit'>) => recoverDeployments(ports),
})
