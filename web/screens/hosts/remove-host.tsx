import { useResource } from '../../data/cache.ts'
import { deleteHost, type Host, revokeHost } from '../../data/hosts.ts'
import { stacksOn } from '../../data/stacks-on.ts'
import { useAct } from '../../data/use-act.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { t } from '../../text/text.ts'

interface RemoveHostProps {
  host: Host
  onClose: () => void
  /** Called when the host is no longer in the list. */
  onGone?: (() => void) | undefined
}

/** Revokes a host that is enrolled, or deletes one that is not, with the stacks placed on it. */
export function RemoveHost(props: RemoveHostProps) {
  const { status } = props.host
  return status === 'online' || status === 'offline' ? <Revoke {...props} /> : <Delete {...props} />
}

function Revoke({ host, onClose }: RemoveHostProps) {
  const { name } = host
  const revoke = useAct(revokeHost, {
    ended: () => t.hosts.revoked(name),
    failed: t.hosts.notRevoked(name),
  })
  return (
    <Confirm
      title={t.hosts.revokeAsk(name)}
      action={t.hosts.revoke(name)}
      lost={t.hosts.revokeLost}
      stays={t.hosts.revokeStays}
      busy={revoke.pending.value && t.hosts.revoking}
      onConfirm={() => void revoke.run(host.id).then(onClose)}
      onClose={onClose}
    />
  )
}

function Delete({ host, onClose, onGone }: RemoveHostProps) {
  const { id, name } = host
  const { value } = useResource('/stacks')
  const names = stacksOn(id, value.value)
  const remove = useAct(
    async (placed: readonly string[]) => {
      await deleteHost(id, placed)
      return true
    },
    { ended: () => t.hosts.removed(name), failed: t.hosts.notRemoved(name) },
  )
  const confirm = async () => {
    const isGone = await remove.run(names)
    onClose()
    if (isGone) onGone?.()
  }
  return (
    <Confirm
      title={t.hosts.removeAsk(name)}
      action={t.hosts.remove(name)}
      lost={names.length > 0 ? t.hosts.removeLostStacks(names.join(', ')) : t.hosts.removeLost}
      stays={t.hosts.removeStays}
      {...(names.length > 0 && { typed: name })}
      busy={remove.pending.value && t.hosts.removing}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  )
}
