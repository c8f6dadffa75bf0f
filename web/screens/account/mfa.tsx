import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { beginMfa, endMfa } from '../../data/account.ts'
import { act } from '../../data/act.ts'
import { session } from '../../data/session.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import { MfaSteps } from './mfa-steps.tsx'
import { PasswordField } from './password-field.tsx'

/** The second factor: its state, and a way to turn it on or off. */
export function Mfa() {
  const begin = useMemo(() => act(beginMfa, { failed: t.account.notOn, tellsProblem: false }), [])
  const isOn = session.user.value?.mfa_enabled ?? false
  const begun = begin.result.value
  return (
    <Panel title={t.account.mfa}>
      <p>
        <State of={isOn ? 'running' : 'stopped'} word={isOn ? t.account.on : t.account.isOff} />
      </p>
      <p class="mfa-why">{isOn ? t.account.onWhy : t.account.offWhy}</p>
      {begun ? (
        <MfaSteps secret={begun.secret} address={begun.otpauth_url} onDone={begin.reset} />
      ) : isOn ? (
        <TurnOff />
      ) : (
        <Begin
          onSubmit={(password) => void begin.run(password)}
          busy={begin.pending.value && t.account.beginning}
          error={begin.problem.value?.error}
        />
      )}
    </Panel>
  )
}

interface BeginProps {
  onSubmit: (password: string) => void
  busy: string | false
  error: string | undefined
}

function Begin({ onSubmit, busy, error }: BeginProps) {
  const password = useSignal('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(password.value)
      }}
    >
      <PasswordField label={t.account.mfaPassword} value={password} error={error} />
      <Button type="submit" busy={busy}>
        {t.account.begin}
      </Button>
    </form>
  )
}

function TurnOff() {
  const password = useSignal('')
  const code = useSignal('')
  const end = useMemo(
    () =>
      act(endMfa, {
        ended: () => t.account.off,
        failed: t.account.notOff,
        tellsProblem: false,
      }),
    [],
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void end.run(password.value, code.value.replaceAll(' ', ''))
      }}
    >
      <PasswordField label={t.account.mfaPassword} value={password} />
      <TextField
        label={t.account.code}
        help={t.account.turnOffHelp}
        value={code.value}
        onInput={(typed) => {
          code.value = typed
        }}
        autocomplete="one-time-code"
        isCode
        required
        error={end.problem.value?.error}
      />
      <Button kind="danger" type="submit" busy={end.pending.value && t.account.turningOff}>
        {t.account.turnOff}
      </Button>
    </form>
  )
}
