import {
  type RestoreRecoveryPorts,
  recoverRestores,
} from '../core/backups/restore/recover-restores.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Undoes the restores of processes that died',
  everySeconds: 5,
  run: (ports: RestoreRecoveryPorts) => recoverRestores(ports),
})
