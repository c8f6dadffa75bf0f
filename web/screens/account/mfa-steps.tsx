import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { confirmMfa } from '../../data/account.ts'
import { act } from '../../data/act.ts'
import { session } from '../../data/session.ts'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { TextField } from '../../parts/field.tsx'
import { t } from '../../text/text.ts'
import { EndTokens } from './end-tokens.tsx'
import { Qr } from './qr.tsx'

interface MfaStepsProps {
  secret: string
  /** The `otpauth` address of the QR code. */
  address: string
  onDone: () => void
}

/** Shows the secret, asks for a code, then shows the recovery codes until the user saved them. */
export function MfaSteps({ secret, address, onDone }: MfaStepsProps) {
  const code = useSignal('')
  const endsTokens = useSignal(false)
  const confirm = useMemo(
    () => act(confirmMfa, { failed: t.account.notOn, tellsProblem: false }),
    [],
  )
  const codes = confirm.result.value
  if (codes) {
    const done = async () => {
      await session.reload()
      onDone()
    }
    return <RecoveryCodes codes={codes} onDone={() => void done()} />
  }
  return (
    <form
      class="mfa-steps"
      onSubmit={(event) => {
        event.preventDefault()
        void confirm.run(code.value.replaceAll(' ', ''), endsTokens.value)
      }}
    >
      <p>{t.account.scan}</p>
      <Qr text={address} label={t.account.qr} />
      <p>{t.account.orType}</p>
      <p class="shown-once">
        <code>{secret}</code> <Copy text={secret} what={t.account.orType} />
      </p>
      <TextField
        label={t.account.code}
        value={code.value}
        onInput={(typed) => {
          code.value = typed
        }}
        autocomplete="one-time-code"
        inputMode="numeric"
        isCode
        required
        error={confirm.problem.value?.error}
      />
      <EndTokens value={endsTokens} />
      <Button kind="primary" type="submit" busy={confirm.pending.value && t.account.confirming}>
        {t.account.confirm}
      </Button>
    </form>
  )
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <div class="mfa-steps">
      <h3>{t.account.codes}</h3>
      <p>{t.account.codesWhy}</p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p class="shown-once">
        <Copy text={codes.join('\n')} what={t.account.codes} />
        <Button kind="primary" onClick={onDone}>
          {t.account.done}
        </Button>
      </p>
    </div>
  )
}
