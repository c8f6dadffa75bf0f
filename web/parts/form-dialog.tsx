import './form-dialog.css'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Problem } from './problem.tsx'

interface FormDialogProps {
  title: string
  /** The verb and the object: "Create role". */
  action: string
  busy?: string | false
  /** Why it cannot be sent yet. */
  blocked?: string | undefined
  /** What the button says that closes it, if that does not cancel. */
  close?: string | undefined
  /** What is said if it fails: "The role was not created". */
  failed: string
  problem?: { error: string; requestId?: string; reason?: string } | undefined
  size?: 'small' | 'medium' | 'large'
  children: ComponentChildren
  onSubmit: () => void
  onClose: () => void
}

/** A dialog with a form. It stays open until the form is accepted, and shows why it was not. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, busy = false, blocked, failed, problem, size = 'small' } = props
  const id = useId()
  const submit = (event: Event) => {
    event.preventDefault()
    if (!busy && blocked === undefined) props.onSubmit()
  }
  const actions = (cancel: () => void) => (
    <>
      <Button onClick={props.close ? props.onClose : cancel}>
        {props.close ?? t.parts.cancel}
      </Button>
      <Button kind="primary" type="submit" form={id} busy={busy} blocked={blocked}>
        {action}
      </Button>
    </>
  )
  return (
    <Dialog
      title={title}
      size={size}
      actions={actions}
      // What the form was about is under way.
      isThrowaway={props.close !== undefined}
      onClose={props.onClose}
    >
      <form id={id} class="form-dialog" onSubmit={submit}>
        {props.children}
        {problem && <Problem title={failed} {...problem} />}
      </form>
    </Dialog>
  )
}
