import { useSignal } from '@preact/signals'
import { Bell, BellOff, Pause, Play, Trash2 } from 'lucide'
import { type AlertRule, changeRule, removeRule } from '../../data/alerts.ts'
import { serviceTime } from '../../data/clock.ts'
import { useAct } from '../../data/use-act.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Menu } from '../../parts/menu.tsx'
import { t } from '../../text/text.ts'

const hour = 3_600_000

/** What can be done with a rule. */
export function RuleMenu({ rule }: { rule: AlertRule }) {
  const { id, name, enabled, muted_until, firing } = rule
  const isConfirming = useSignal(false)
  const change = useAct(changeRule, {
    ended: () => t.alerts.savedRule(name),
    failed: t.alerts.notSavedRule,
  })
  const remove = useAct(removeRule, {
    ended: () => t.alerts.removedRule(name),
    failed: t.alerts.notRemovedRule,
  })
  const ask = (open: boolean) => () => {
    isConfirming.value = open
  }
  const muteFor = (hours: number) => () =>
    void change.run(id, { muted_until: new Date(serviceTime() + hours * hour).toISOString() })
  const isMuted = muted_until !== null && Date.parse(muted_until) > serviceTime()
  return (
    <>
      <Menu
        label={t.hosts.actionsOf(name)}
        items={[
          isMuted
            ? {
                label: t.alerts.unmute(name),
                icon: Bell,
                run: () => void change.run(id, { muted_until: null }),
              }
            : { label: t.alerts.muteHours(1), icon: BellOff, run: muteFor(1) },
          !isMuted && { label: t.alerts.muteHours(24), icon: BellOff, run: muteFor(24) },
          {
            label: enabled ? t.alerts.turnOff(name) : t.alerts.turnOn(name),
            icon: enabled ? Pause : Play,
            run: () => void change.run(id, { enabled: !enabled }),
          },
          { label: t.alerts.remove(name), icon: Trash2, kind: 'danger', run: ask(true) },
        ]}
      />
      {isConfirming.value && (
        <Confirm
          title={t.alerts.removeAsk(name)}
          action={t.alerts.remove(name)}
          lost={firing.length > 0 ? t.alerts.ruleLostFiring(firing.length) : t.alerts.ruleLost}
          stays={t.alerts.ruleStays}
          busy={remove.pending.value && t.alerts.removing}
          onConfirm={() => void remove.run(id).then(ask(false))}
          onClose={ask(false)}
        />
      )}
    </>
  )
}
