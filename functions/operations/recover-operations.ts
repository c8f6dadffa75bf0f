import {
  type OperationRecoveryPorts,
  recoverOperations,
} from '../core/operations/recover-operations.ts'
import { type TidyPorts, tidyUpgrade } from '../core/upgrade/tidy-upgrade.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Ends operations whose process died, and upgrades of the service',
  everySeconds: 5,
  async run(ports: OperationRecoveryPorts & TidyPorts) {
    await tidyUpgrade(ports)
    await recoverOperations(ports)
  },
})
