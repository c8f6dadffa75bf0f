import { useSignal } from '@preact/signals'
import { Ban, KeyRound, LockOpen, Pencil, Trash2, UserCheck } from 'lucide'
import { serviceTime } from '../../data/clock.ts'
import { session } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { changeUser, removeUser, resetMfa, type User, unlockUser } from '../../data/users.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Menu } from '../../parts/menu.tsx'
import { t } from '../../text/text.ts'

type Ask = 'remove' | 'mfa' | 'disable' | undefined

/** What can be done with an account. */
export function UserMenu({ user, onEdit }: { user: User; onEdit: () => void }) {
  const { id, username, disabled, locked_until, mfa_enabled, has_passkeys } = user
  const ask = useSignal<Ask>(undefined)
  const show = (next: Ask) => () => {
    ask.value = next
  }
  const texts = { ended: () => t.users.saved(username), failed: t.users.notSaved }
  const change = useAct(changeUser, texts)
  const unlock = useAct(unlockUser, { ...texts, ended: () => t.users.unlocked(username) })
  const isSelf = id === session.user.value?.id
  const isLocked = locked_until !== null && Date.parse(locked_until) > serviceTime()
  return (
    <>
      <Menu
        label={t.hosts.actionsOf(username)}
        items={[
          { label: t.users.edit(username), icon: Pencil, run: onEdit },
          isLocked && {
            label: t.users.unlock(username),
            icon: LockOpen,
            run: () => void unlock.run(id),
          },
          (mfa_enabled || has_passkeys) &&
            !isSelf && { label: t.users.resetMfa(username), icon: KeyRound, run: show('mfa') },
          !isSelf &&
            disabled && {
              label: t.users.enable(username),
              icon: UserCheck,
              run: () => void change.run(id, { disabled: false }),
            },
          !isSelf &&
            !disabled && { label: t.users.disable(username), icon: Ban, run: show('disable') },
          !isSelf && {
            label: t.users.remove(username),
            icon: Trash2,
            kind: 'danger',
            run: show('remove'),
          },
        ]}
      />
      {ask.value && <AskFirst user={user} what={ask.value} onClose={show(undefined)} />}
    </>
  )
}

interface AskProps {
  user: User
  what: Exclude<Ask, undefined>
  onClose: () => void
}

function AskFirst({ user: { id, username }, what, onClose }: AskProps) {
  const texts = t.users.asks[what]
  const work = useAct(
    async () => {
      if (what === 'remove') await removeUser(id)
      else if (what === 'mfa') await resetMfa(id)
      else await changeUser(id, { disabled: true })
    },
    { ended: () => texts.ended(username), failed: t.users.notSaved },
  )
  return (
    <Confirm
      title={texts.title(username)}
      action={texts.action(username)}
      lost={texts.lost}
      stays={texts.stays}
      busy={work.pending.value && t.alerts.saving}
      onConfirm={() => void work.run().then(onClose)}
      onClose={onClose}
    />
  )
}
