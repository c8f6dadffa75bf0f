import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { createToken } from '../../data/account.ts'
import { act } from '../../data/act.ts'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { t } from '../../text/text.ts'

/** Creates a token and shows it once. */
export function NewToken() {
  const name = useSignal('')
  const days = useSignal('')
  const create = useMemo(
    () => act(createToken, { failed: t.account.notCreated, tellsProblem: false }),
    [],
  )
  const submit = (event: Event) => {
    event.preventDefault()
    void create.run(name.value.trim(), days.value === '' ? undefined : Number(days.value))
  }
  const close = () => {
    create.reset()
    name.value = ''
    days.value = ''
  }
  const created = create.result.value
  return (
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
        error={create.problem.value?.error}
      />
      <Button type="submit" busy={create.pending.value && t.account.creating}>
        {t.account.create}
      </Button>
      {created && (
        <Dialog
          title={t.account.created(created.name)}
          onClose={close}
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
    </form>
  )
}
