import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { changePassword } from '../../data/account.ts'
import { act } from '../../data/act.ts'
import { useResource } from '../../data/cache.ts'
import { Button } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { t } from '../../text/text.ts'
import { EndPasskeys, EndTokens } from './end-tokens.tsx'
import { PasswordField } from './password-field.tsx'

/** Changes the password. */
export function Password() {
  const current = useSignal('')
  const next = useSignal('')
  const endsTokens = useSignal(false)
  const endsPasskeys = useSignal(false)
  const passkeys = useResource('/me/passkeys').value.value ?? []
  const change = useMemo(
    () =>
      act(changePassword, {
        ended: () => t.account.changed,
        failed: t.account.unchanged,
        tellsProblem: false,
      }),
    [],
  )
  const submit = async (event: Event) => {
    event.preventDefault()
    await change.run(current.value, next.value, {
      end_api_tokens: endsTokens.value,
      end_passkeys: endsPasskeys.value,
    })
    if (change.problem.value) return
    current.value = ''
    next.value = ''
    endsTokens.value = false
    endsPasskeys.value = false
  }
  return (
    <Panel title={t.account.password}>
      <form onSubmit={(event) => void submit(event)}>
        <PasswordField label={t.account.current} value={current} />
        <PasswordField
          label={t.account.next}
          value={next}
          isNew
          help={t.account.nextHelp}
          error={change.problem.value?.error}
        />
        <EndTokens value={endsTokens} />
        {passkeys.length > 0 && <EndPasskeys value={endsPasskeys} />}
        <Button type="submit" busy={change.pending.value && t.account.changing}>
          {t.account.change}
        </Button>
      </form>
    </Panel>
  )
}
