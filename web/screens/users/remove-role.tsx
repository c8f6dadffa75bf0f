import { useAct } from '../../data/use-act.ts'
import { type Role, removeRole } from '../../data/users.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { t } from '../../text/text.ts'

interface RemoveRoleProps {
  role: Role
  onClose: () => void
}

/** Asks before a role is deleted. */
export function RemoveRole({ role: { name }, onClose }: RemoveRoleProps) {
  const remove = useAct(removeRole, {
    ended: () => t.roles.removed(name),
    failed: t.roles.notRemoved,
  })
  return (
    <Confirm
      title={t.roles.removeAsk(name)}
      action={t.roles.remove(name)}
      lost={t.roles.lost}
      stays={t.roles.stays}
      busy={remove.pending.value && t.alerts.removing}
      onConfirm={() => void remove.run(name).then(onClose)}
      onClose={onClose}
    />
  )
}
