import { UserCheck } from 'lucide'
import { type BackupJob, takeOverJob } from '../../data/backups.ts'
import { can } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { Button } from '../../parts/button.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../text/text.ts'

/** Why a backup job does not run, and how to change that for those who may try. */
export function BlockedJob({ job }: { job: BackupJob }) {
  const { name, acts_as: actsAs } = job
  const takeOver = useAct(takeOverJob, {
    ended: () => t.backups.takenOver(name),
    failed: t.backups.notTakenOver(name),
  })
  return (
    <Problem title={t.backups.isBlocked(name)} error={actsAs.blocked ?? ''}>
      <p>{t.backups.takeOverHelp}</p>
      {can('backups:manage') && (
        <div class="problem-next">
          <Button
            icon={UserCheck}
            busy={takeOver.pending.value && t.backups.takingOver}
            onClick={() => void takeOver.run(job)}
          >
            {t.backups.takeOver(name)}
          </Button>
        </div>
      )}
    </Problem>
  )
}
