import { useSignal } from '@preact/signals'
import { Pause, Pencil, Play, ScrollText, Trash2, Zap } from 'lucide'
import { can } from '../../data/session.ts'
import {
  changeStackJob,
  removeStackJob,
  runStackJob,
  type StackJob,
} from '../../data/stack-jobs.ts'
import { useAct } from '../../data/use-act.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Menu } from '../../parts/menu.tsx'
import { t } from '../../text/text.ts'

interface StackJobMenuProps {
  job: StackJob
  onRuns: () => void
  onEdit: () => void
}

/** What can be done with a job of a stack. */
export function StackJobMenu({ job: row, onRuns, onEdit }: StackJobMenuProps) {
  const { job: name, enabled, schedule, last_run: last } = row
  const isConfirming = useSignal(false)
  const run = useAct(runStackJob, { ended: () => t.jobs.begun(name), failed: t.jobs.notRun(name) })
  const enable = useAct(changeStackJob, {
    ended: () => t.jobs.saved(name),
    failed: t.jobs.notSaved,
  })
  const remove = useAct(removeStackJob, {
    ended: () => t.jobs.removed(name),
    failed: t.jobs.notRemoved,
  })
  const ask = (open: boolean) => () => {
    isConfirming.value = open
  }
  const blocked = last?.status === 'running' ? t.jobs.isRunning : undefined
  const mayChange = can('containers:exec')
  return (
    <>
      <Menu
        label={t.hosts.actionsOf(name)}
        items={[
          { label: t.jobs.showRuns(name), icon: ScrollText, run: onRuns },
          mayChange && {
            label: t.jobs.runNow(name),
            icon: Zap,
            run: () => void run.run(row),
            blocked,
          },
          mayChange && { label: t.jobs.edit(name), icon: Pencil, run: onEdit },
          mayChange &&
            schedule !== null && {
              label: enabled ? t.jobs.turnOff(name) : t.jobs.turnOn(name),
              icon: enabled ? Pause : Play,
              run: () => void enable.run(row, { enabled: !enabled }),
            },
          mayChange && {
            label: t.jobs.remove(name),
            icon: Trash2,
            kind: 'danger',
            run: ask(true),
            blocked,
          },
        ]}
      />
      {isConfirming.value && (
        <Confirm
          title={t.jobs.removeAsk(name)}
          action={t.jobs.remove(name)}
          lost={t.jobs.lost}
          stays={t.jobs.stays}
          busy={remove.pending.value && t.jobs.removing}
          onConfirm={() => void remove.run(row).then(ask(false))}
          onClose={ask(false)}
        />
      )}
    </>
  )
}
