import { type BackupJob, takeOverJob } from '../../data/backups.ts'
import { can } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { BlockedWork } from '../../parts/blocked-work.tsx'
import { t } from '../../text/text.ts'

/** Why a backup job does not run, and how to change that for those who may try. */
export function BlockedJob({ job }: { job: BackupJob }) {
  const { name, acts_as: actsAs } = job
  const takeOver = useAct(takeOverJob, {
    ended: () => t.backups.takenOver(name),
    failed: t.backups.notTakenOver(name),
  })
  return (
    <BlockedWork
      title={t.backups.isBlocked(name)}
      error={actsAs.blocked ?? ''}
      help={t.backups.takeOverHelp}
      action={
        can('backups:manage') && {
          label: t.backups.takeOver(name),
          busy: takeOver.pending.value && t.backups.takingOver,
          run: () => void takeOver.run(job),
        }
      }
    />
  )
}
