import { useSignal } from '@preact/signals'
import { Ban, KeyRound, Pencil, Trash2 } from 'lucide'
import { enrolAgain, type Host } from '../../data/hosts.ts'
import { can } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { Menu } from '../../parts/menu.tsx'
import { t } from '../../text/text.ts'
import { EditHost } from './edit-host.tsx'
import { EnrolmentSteps } from './enrolment-steps.tsx'
import { RemoveHost } from './remove-host.tsx'
import { ReplaceAgent } from './replace-agent.tsx'

type Open = 'edit' | 'replace' | 'remove' | undefined

/** What can be done with a host, for its row and its page. */
export function HostMenu({ host, onGone }: { host: Host; onGone?: () => void }) {
  const open = useSignal<Open>(undefined)
  const enrol = useAct(enrolAgain, { failed: t.hosts.notEnrolled })
  if (!can('hosts:manage')) return null
  const show = (what: Open) => () => {
    open.value = what
  }
  const isAgent = host.kind === 'agent'
  const isLive = host.status === 'online' || host.status === 'offline'
  const mayEnrol = host.status === 'pending' || can('stacks:privileged')
  const enrolNow = () => {
    open.value = undefined
    void enrol.run(host.id)
  }
  return (
    <>
      <Menu
        label={t.hosts.actionsOf(host.name)}
        items={[
          { label: t.hosts.edit(host.name), icon: Pencil, run: show('edit') },
          isAgent &&
            mayEnrol && {
              label: t.hosts.enrolAgain(host.name),
              icon: KeyRound,
              run: isLive ? show('replace') : enrolNow,
            },
          isAgent && {
            label: isLive ? t.hosts.revoke(host.name) : t.hosts.remove(host.name),
            icon: isLive ? Ban : Trash2,
            kind: 'danger',
            run: show('remove'),
          },
        ]}
      />
      {open.value === 'edit' && <EditHost host={host} onClose={show(undefined)} />}
      {open.value === 'replace' && (
        <ReplaceAgent host={host} onConfirm={enrolNow} onClose={show(undefined)} />
      )}
      {open.value === 'remove' && (
        <RemoveHost host={host} onClose={show(undefined)} onGone={onGone} />
      )}
      {enrol.result.value && (
        <EnrolmentSteps host={host} enrolment={enrol.result.value} onClose={enrol.reset} />
      )}
    </>
  )
}
