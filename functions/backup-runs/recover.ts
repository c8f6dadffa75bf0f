import { type RecoverRestoresPorts, recoverRestores } from '../core/backups/restore/recover.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Undoes the restores of processes that died',
  everySeconds: 5,
  run: (ports: RecoverRestoresPorts) => recoverRestores(ports),
})
