import { updatePolicyWarnings } from '../core/stacks/policy-warnings.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Warns of stacks that their deployer may no longer deploy, such as after an upgrade',
  everySeconds: 600,
  run: updatePolicyWarnings,
})
