import { useSignal } from '@preact/signals'
import { addPasskey } from '../../data/passkeys.ts'
import { session } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { bind } from '../../parts/bind.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../text/text.ts'
import { PasswordField } from './password-field.tsx'

/** Adds a passkey. Asks for a code of the second factor, or for the password without one. */
export function NewPasskey() {
  const name = useSignal('')
  const typed = useSignal('')
  const isCode = session.user.value?.mfa_enabled ?? false
  const add = useAct(addPasskey, {
    ended: () => t.account.passkeyAdded,
    failed: t.account.passkeyNotAdded,
    tellsProblem: false,
  })
  const submit = async (event: Event) => {
    event.preventDefault()
    const secret = typed.value
    const confirmation = isCode ? { totp_code: secret.replaceAll(' ', '') } : { password: secret }
    await add.run(name.value.trim(), confirmation)
    typed.value = ''
    if (!add.problem.value) name.value = ''
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <TextField
        label={t.account.passkeyName}
        help={t.account.passkeyNameHelp}
        {...bind(name)}
        autocomplete="off"
        required
      />
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
      {add.problem.value && <Problem title={t.account.passkeyNotAdded} {...add.problem.value} />}
      <Button type="submit" busy={add.pending.value && t.account.addingPasskey}>
        {t.account.addPasskey}
      </Button>
    </form>
  )
}
