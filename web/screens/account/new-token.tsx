import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { type Confirmation, createToken } from '../../data/account.ts'
import { act } from '../../data/act.ts'
import type { Problem } from '../../data/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { t } from '../../text/text.ts'
import { ConfirmIdentity, canConfirm } from './confirm-identity.tsx'

/** Creates a token and shows it once. Asks for a confirmation if the sign-in was too long ago. */
export function NewToken() {
  const name = useSignal('')
  const days = useSignal('')
  const create = useMemo(
    () => act(createToken, { failed: t.account.notCreated, tellsProblem: false }),
    [],
  )
  const asks = useSignal(false)
  const send = async (confirmation?: Confirmation) => {
    const expires = days.value === '' ? undefined : Number(days.value)
    const made = await create.run(name.value.trim(), expires, confirmation)
    if (made) asks.value = false
    else if (isAsked(create.problem.value) && canConfirm()) asks.value = true
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void send()
  }
  const cancel = () => {
    asks.value = false
    create.reset()
  }
  const close = () => {
    create.reset()
    name.value = ''
    days.value = ''
  }
  const created = create.result.value
  const busy = create.pending.value && t.account.creating
  const problem = create.problem.value
  return (
    <>
      <form onSubmit={submit}>
        <TextField
          label={t.account.name}
          value={name.value}
          onInput={(typed) => {
            name.value = typed
          }}
          autocomplete="off"
          required
        />
        <TextField
          label={t.account.days}
          help={t.account.daysHelp}
          type="number"
          value={days.value}
          onInput={(typed) => {
            days.value = typed
          }}
          error={asks.value ? undefined : problem?.error}
        />
        <Button type="submit" busy={busy}>
          {t.account.create}
        </Button>
      </form>
      {asks.value && !created && (
        <ConfirmIdentity
          busy={busy}
          problem={isAsked(problem) ? undefined : problem}
          onSubmit={(confirmation) => void send(confirmation)}
          onClose={cancel}
        />
      )}
      {created && (
        <Dialog
          title={t.account.created(created.name)}
          onClose={close}
          isShownOnce
          actions={
            <Button kind="primary" onClick={close}>
              {t.parts.close}
            </Button>
          }
        >
          <p>{t.account.shownOnce}</p>
          <p class="shown-once">
            <code>{created.token}</code> <Copy text={created.token} what={t.account.token} />
          </p>
        </Dialog>
      )}
    </>
  )
}

const isAsked = (problem: Problem | undefined) => problem?.reason === 'confirmation-required'
