import './dialog.css'
import { X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../text/text.ts'
import { IconButton } from './button.tsx'
import { focusReturner } from './focus-return.ts'

interface DialogProps {
  title: string
  children: ComponentChildren
  /** The buttons, the one that answers last. */
  actions?: ComponentChildren
  /** Without it, only an answer closes the dialog. */
  onClose?: () => void
  size?: 'small' | 'medium' | 'large'
}

/**
 * A dialog over the page, for as long as it is rendered. It keeps the focus and gives it back to
 * its opener, or to the row that follows if the opener has been removed.
 */
export function Dialog({ title, children, actions, onClose, size = 'small' }: DialogProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const returnFocus = focusReturner()
    dialog.current?.showModal()
    firstIn(dialog.current)?.focus({ preventScroll: true })
    return returnFocus
  }, [])
  return (
    <dialog
      ref={dialog}
      class={`dialog ${size}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose?.()
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div class="dialog-frame">
        <header>
          <h2 id={id}>{title}</h2>
          {onClose && <IconButton icon={X} label={t.parts.close} onClick={onClose} />}
        </header>
        <div class="dialog-body">{children}</div>
        {actions && <footer>{actions}</footer>}
      </div>
    </dialog>
  )
}

/**
 * Returns what is used first: a field, or else the button that changes nothing. A finger opens the
 * keyboard of a field itself.
 */
function firstIn(dialog: HTMLElement | null): HTMLElement | null | undefined {
  const isTouch = matchMedia('(pointer: coarse)').matches
  const field = isTouch
    ? null
    : dialog?.querySelector<HTMLElement>('[data-first], .dialog-body .input')
  return field ?? dialog?.querySelector<HTMLElement>('footer button')
}
