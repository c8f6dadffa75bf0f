import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'

interface DiscardQuestionProps {
  onKeep: () => void
  onDiscard: () => void
}

/** Asks whether to discard what was typed into a dialog. Takes the focus, and gives it back. */
export function DiscardQuestion({ onKeep, onDiscard }: DiscardQuestionProps) {
  const keep = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null
    const dialog = keep.current?.closest('dialog')
    keep.current?.focus()
    return () => {
      // A button that asked was replaced by the question.
      const next = before?.isConnected
        ? before
        : dialog?.querySelector<HTMLElement>('.dialog-body .input')
      next?.focus()
    }
  }, [])
  return (
    <div class="dialog-foot discard-question" role="alertdialog" aria-label={t.parts.discardAsk}>
      <p>{t.parts.discardAsk}</p>
      <Button buttonRef={keep} onClick={onKeep}>
        {t.parts.keepEditing}
      </Button>
      <Button kind="danger" onClick={onDiscard}>
        {t.parts.discard}
      </Button>
    </div>
  )
}
