import { type RecoverRestoresPorts, recoverRestores } from '../core/backups/restore/recover.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Ends the restores of processes that died: what was there is put back',
  everySeconds: 5,
  run: (ports: RecoverRestoresPorts) => recoverRestores(ports),
})
