import './dialog.css'
import { X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../text/text.ts'
import { IconButton } from './button.tsx'
import { DiscardQuestion } from './discard-question.tsx'
import { focusReturner } from './focus-return.ts'
import { useLeaving } from './use-leaving.ts'

interface DialogProps {
  title: string
  children: ComponentChildren
  /**
   * The buttons, the one that answers last. A function is given what closes the dialog, and asks
   * first if something was typed.
   */
  actions?: ComponentChildren | ((close: () => void) => ComponentChildren)
  /** Without it, only an answer closes the dialog. */
  onClose?: () => void
  /** What it shows is shown once, so that a click beside it does not close it. */
  isShownOnce?: boolean
  /** What is typed into it is not worth a question, such as a name to confirm. */
  isThrowaway?: boolean
  size?: 'small' | 'medium' | 'large'
}

/**
 * A dialog over the page, for as long as it is rendered. It keeps the focus and gives it back to
 * its opener, or to the row that follows if the opener has been removed.
 */
export function Dialog(props: DialogProps) {
  const { title, children, actions, onClose, size = 'small' } = props
  const { isShownOnce = false, isThrowaway = false } = props
  const id = useId()
  const leaving = useLeaving({ onClose, isShownOnce, isThrowaway })
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
        leaving.close('escape')
      }}
      onClose={() => {
        // A browser closes it without asking if that is wanted twice. It is still needed.
        dialog.current?.showModal()
        leaving.close('escape')
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) leaving.close('beside')
      }}
      onInput={leaving.touch}
      onKeyDown={(event) => {
        event.stopPropagation()
        const isOfPopover = dialog.current?.querySelector(':popover-open')
        if (event.key !== 'Escape' || event.defaultPrevented || isOfPopover) return
        event.preventDefault()
        leaving.close('escape')
      }}
    >
      <div class="dialog-frame">
        <header>
          <h2 id={id}>{title}</h2>
          {onClose && (
            <IconButton icon={X} label={t.parts.close} onClick={() => leaving.close('button')} />
          )}
        </header>
        <div class="dialog-body">{children}</div>
        {leaving.isAsking && onClose ? (
          <DiscardQuestion onKeep={leaving.keep} onDiscard={onClose} />
        ) : (
          actions && (
            <footer class="dialog-foot">
              {typeof actions === 'function' ? actions(() => leaving.close('button')) : actions}
            </footer>
          )
        )}
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
