import { useSignal } from '@preact/signals'
import { Pause, Pencil, Play, Trash2, Zap } from 'lucide'
import { type BackupJob, enableJob, removeJob, runJob } from '../../data/backups.ts'
import { useAct } from '../../data/use-act.ts'
import { go } from '../../frame/address.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Menu } from '../../parts/menu.tsx'
import { t } from '../../text/text.ts'

/** What can be done with a backup job. */
export function JobMenu({ job, onEdit }: { job: BackupJob; onEdit: () => void }) {
  const { id, name, enabled, schedule, last_run } = job
  const isConfirming = useSignal(false)
  const run = useAct(runJob, { failed: t.backups.notRun(name) })
  const enable = useAct(enableJob, {
    ended: () => t.backups.saved(name),
    failed: t.backups.notSaved,
  })
  const remove = useAct(removeJob, {
    ended: () => t.backups.removed(name),
    failed: t.backups.notRemoved,
  })
  const ask = (open: boolean) => () => {
    isConfirming.value = open
  }
  const isRunning = last_run?.status === 'running'
  const start = async () => {
    const started = await run.run(id)
    if (started) go(`/backups/runs?job=${id}&run=${started.id}`)
  }
  return (
    <>
      <Menu
        label={t.hosts.actionsOf(name)}
        items={[
          {
            label: t.backups.runNow(name),
            icon: Zap,
            run: () => void start(),
            blocked: isRunning ? t.backups.isRunning : undefined,
          },
          { label: t.backups.edit(name), icon: Pencil, run: onEdit },
          schedule !== null && {
            label: enabled ? t.backups.turnOff(name) : t.backups.turnOn(name),
            icon: enabled ? Pause : Play,
            run: () => void enable.run(id, !enabled),
          },
          {
            label: t.backups.remove(name),
            icon: Trash2,
            kind: 'danger',
            run: ask(true),
            blocked: isRunning ? t.backups.isRunning : undefined,
          },
        ]}
      />
      {isConfirming.value && (
        <Confirm
          title={t.backups.removeAsk(name)}
          action={t.backups.remove(name)}
          lost={t.backups.lost}
          stays={t.backups.stays}
          busy={remove.pending.value && t.backups.removing}
          onConfirm={() => void remove.run(id).then(ask(false))}
          onClose={ask(false)}
        />
      )}
    </>
  )
}
