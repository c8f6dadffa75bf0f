import {
  type OperationRecoveryPorts,
  recoverOperations,
} from '../core/operations/recover-operations.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Marks operations as interrupted whose process died',
  everySeconds: 5,
  run: (ports: OperationRecoveryPorts) => recoverOperations(ports),
})
