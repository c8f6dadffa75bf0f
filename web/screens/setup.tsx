import { useSignal } from '@preact/signals'
import { Layers } from 'lucide'
import { useEffect, useMemo } from 'preact/hooks'
import { act } from '../data/act.ts'
import { fieldErrors } from '../data/field-errors.ts'
import { setUp } from '../data/setup.ts'
import { focusNextTitle } from '../frame/page.tsx'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { useFocusInvalid } from '../parts/focus-invalid.ts'
import { Icon } from '../parts/icon.tsx'
import { Problem } from '../parts/problem.tsx'
import { t } from '../text/text.ts'

/** The fields, as the API names them. */
const names = ['secret', 'username', 'password']

/** The first start: the secret of the log makes the first administrator, who is then signed in. */
export default function Setup() {
  const secret = useSignal('')
  const username = useSignal('')
  const password = useSignal('')
  const create = useMemo(() => act(setUp, { failed: t.setup.failed, tellsProblem: false }), [])
  useEffect(() => {
    document.title = `${t.setup.title} · ${t.product}`
    focusNextTitle()
  }, [])
  const problem = create.problem.value
  const isSecret = problem?.status === 403
  const { of: wrong, rest } = fieldErrors(isSecret ? undefined : problem, names)
  const form = useFocusInvalid(problem)
  const submit = (event: Event) => {
    event.preventDefault()
    void create.run({
      secret: secret.value.trim(),
      username: username.value.trim(),
      password: password.value,
    })
  }
  return (
    <main class="gate">
      <header>
        <Icon of={Layers} size={20} />
        <h1>{t.setup.title}</h1>
        <p>{t.setup.intro}</p>
      </header>
      <form ref={form} onSubmit={submit}>
        <TextField
          label={t.setup.secret}
          help={t.setup.secretHelp}
          value={secret.value}
          onInput={(value) => {
            secret.value = value
          }}
          autocomplete="off"
          isCode
          required
          error={isSecret ? problem.error : wrong.secret}
        />
        <TextField
          label={t.setup.username}
          value={username.value}
          onInput={(value) => {
            username.value = value
          }}
          autocomplete="username"
          required
          error={wrong.username}
        />
        <TextField
          label={t.setup.password}
          type="password"
          help={t.setup.passwordHelp}
          value={password.value}
          onInput={(value) => {
            password.value = value
          }}
          autocomplete="new-password"
          required
          error={wrong.password}
        />
        {rest && <Problem title={t.setup.failed} {...rest} />}
        <Button kind="primary" type="submit" busy={create.pending.value && t.setup.busy}>
          {t.setup.submit}
        </Button>
      </form>
    </main>
  )
}
