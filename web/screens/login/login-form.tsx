import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { act } from '../../data/act.ts'
import { isTemporary, type Problem as RequestProblem } from '../../data/problem.ts'
import { session } from '../../data/session.ts'
import { Button } from '../../parts/button.tsx'
import { Checkbox } from '../../parts/checkbox.tsx'
import { TextField } from '../../parts/field.tsx'
import { useFocusInvalid } from '../../parts/focus-invalid.ts'
import { timeOfDay } from '../../parts/format-time.ts'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../text/text.ts'
import { CodeField } from './code-field.tsx'
import { PasskeyLogin } from './passkey-login.tsx'
import { Providers } from './providers.tsx'

interface LoginFormProps {
  username: string
  /** Something that was typed is on the page, so that the page must stay. */
  isOverPage?: boolean
}

/** Asks for the password, and for a code if the account has a second factor. */
export default function LoginForm({ username: known, isOverPage = false }: LoginFormProps) {
  const username = useSignal(known)
  const password = useSignal('')
  const code = useSignal('')
  const remembers = useSignal(false)
  const login = useMemo(
    () => act(session.logIn, { failed: t.login.failed, tellsProblem: false }),
    [],
  )
  const problem = login.problem.value
  const asksCode = code.value !== '' || problem?.asksCode === true
  const isUnsent = problem !== undefined && isTemporary(problem)
  const refusal =
    problem && !problem.asksCode && !isUnsent ? refusalOf(problem, code.value !== '') : undefined
  const form = useFocusInvalid(refusal === undefined ? undefined : problem)
  const credentials = {
    username: username.value,
    password: password.value,
    remember_me: remembers.value,
  }
  const submit = (event: Event) => {
    event.preventDefault()
    const totp_code = code.value.replaceAll(' ', '')
    void login.run({ ...credentials, ...(totp_code && { totp_code }) })
  }
  return (
    <form ref={form} onSubmit={submit}>
      <TextField
        label={t.login.username}
        value={username.value}
        onInput={(value) => {
          username.value = value
        }}
        autocomplete="username"
        required
      />
      <TextField
        label={t.login.password}
        type="password"
        value={password.value}
        onInput={(value) => {
          password.value = value
        }}
        autocomplete="current-password"
        required
        error={asksCode ? undefined : refusal}
      />
      {asksCode && <CodeField code={code} error={refusal} />}
      {isUnsent && <Problem title={t.login.failed} {...problem} />}
      <Checkbox
        label={t.login.remember}
        checked={remembers.value}
        onChange={(value) => {
          remembers.value = value
        }}
      />
      <Button kind="primary" type="submit" busy={login.pending.value && t.login.busy}>
        {t.login.submit}
      </Button>
      <PasskeyLogin remembers={remembers.value} credentials={asksCode ? credentials : undefined} />
      <Providers remembers={remembers.value} opensTab={isOverPage} />
    </form>
  )
}

/** Returns why a login was refused; for a locked account, until when. */
function refusalOf({ status, error, retryAt }: RequestProblem, hasCode: boolean): string {
  if (status === 423 && retryAt !== undefined) return t.login.locked(timeOfDay(retryAt))
  if (status === 401) return hasCode ? t.login.wrongWithCode : t.login.wrong
  return error
}
