import { type ReapRestoresPorts, reapRestores } from '../core/backups/restore/reap-restores.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Undoes the restores of processes that died',
  everySeconds: 5,
  run: (ports: ReapRestoresPorts) => reapRestores(ports),
})
