import './confirm.css'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'

interface ConfirmProps {
  /** A question with the verb and the object: "Remove shop?" */
  title: string
  /** The verb and the object: "Remove shop". */
  action: string
  /** What is gone afterwards. */
  lost?: ComponentChildren
  /** What remains. */
  stays?: ComponentChildren
  children?: ComponentChildren
  /** A name to type, only where data is deleted. */
  typed?: string
  kind?: 'danger' | 'primary'
  busy?: string | false
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that cannot be undone: says what is lost and what stays. */
export function Confirm(props: ConfirmProps) {
  const { title, action, lost, stays, typed, kind = 'danger', busy, onConfirm, onClose } = props
  const name = useSignal('')
  const isTyped = typed === undefined || name.value.trim() === typed
  const submit = (event: Event) => {
    event.preventDefault()
    if (isTyped && !busy) onConfirm()
  }
  const actions = (
    <>
      <Button onClick={onClose}>{t.parts.cancel}</Button>
      <Button
        kind={kind}
        type="submit"
        form="confirm"
        busy={busy}
        blocked={isTyped ? undefined : t.parts.typeToConfirm(typed ?? '')}
      >
        {action}
      </Button>
    </>
  )
  return (
    <Dialog title={title} onClose={onClose} actions={actions} isThrowaway>
      <form id="confirm" class="confirm" onSubmit={submit}>
        {props.children}
        {(lost || stays) && (
          <dl>
            {lost && <dt class="lost">{t.parts.lost}</dt>}
            {lost && <dd>{lost}</dd>}
            {stays && <dt>{t.parts.stays}</dt>}
            {stays && <dd>{stays}</dd>}
          </dl>
        )}
        {typed !== undefined && (
          <TextField
            label={t.parts.typeToConfirm(typed)}
            value={name.value}
            onInput={(value) => {
              name.value = value
            }}
            autocomplete="off"
            isCode
          />
        )}
      </form>
    </Dialog>
  )
}
