import { useSignal } from '@preact/signals'
import type { Confirmation } from '../../data/account.ts'
import type { Problem } from '../../data/problem.ts'
import { session } from '../../data/session.ts'
import { bind } from '../../parts/bind.ts'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { t } from '../../text/text.ts'
import { PasswordField } from './password-field.tsx'

interface ConfirmIdentityProps {
  busy: string | false
  problem: Problem | undefined
  onSubmit: (confirmation: Confirmation) => void
  onClose: () => void
}

/** Returns whether the user can confirm here: one of an identity provider signs in again. */
export const canConfirm = () =>
  session.user.value?.mfa_enabled === true || session.user.value?.has_password === true

/** Asks for a code of the second factor, or for the password of a user who has none. */
export function ConfirmIdentity({ busy, problem, onSubmit, onClose }: ConfirmIdentityProps) {
  const typed = useSignal('')
  const isCode = session.user.value?.mfa_enabled ?? false
  const submit = () =>
    onSubmit(isCode ? { totp_code: typed.value.replaceAll(' ', '') } : { password: typed.value })
  return (
    <FormDialog
      title={t.account.confirmTitle}
      action={t.account.create}
      busy={busy}
      failed={t.account.notCreated}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t.account.confirmWhy}</p>
      {isCode ? (
        <TextField
          label={t.account.code}
          help={t.account.turnOffHelp}
          {...bind(typed)}
          autocomplete="one-time-code"
          isCode
          required
        />
      ) : (
        <PasswordField label={t.account.mfaPassword} value={typed} />
      )}
    </FormDialog>
  )
}
