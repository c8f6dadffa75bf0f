import {
  type RestoreRecoveryPorts,
  recoverRestores,
} from '../core/backups/restore/recover-restores.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Recovers restores whose process died: undoes them unless all data is in place',
  everySeconds: 5,
  run: (ports: RestoreRecoveryPorts) => recoverRestores(ports),
})
