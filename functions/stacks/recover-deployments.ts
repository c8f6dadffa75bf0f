import {
  type DeploymentRecoveryPorts,
  recoverDeployments,
} from '../core/deploy/recover-deployments.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Recovers deployments whose process died: resumes them or marks them interrupted',
  everySeconds: 5,
  run: (ports: DeploymentRecoveryPorts) => recoverDeployments(ports),
})
