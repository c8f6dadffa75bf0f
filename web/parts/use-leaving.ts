import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { leave, type WayOut } from './leaving.ts'

interface LeavingOptions {
  onClose: (() => void) | undefined
  isShownOnce: boolean
  isThrowaway: boolean
}

/** Closes a dialog, or asks before what was typed into it is lost. */
export function useLeaving({ onClose, isShownOnce, isThrowaway }: LeavingOptions) {
  const isTyped = useRef(false)
  const isAsking = useSignal(false)
  return {
    isAsking: isAsking.value && onClose !== undefined,
    /** Something was typed or chosen. */
    touch() {
      isTyped.current = true
    },
    keep() {
      isAsking.value = false
    },
    close(by: WayOut) {
      const next = leave(by, { isTouched: isTyped.current && !isThrowaway, isShownOnce })
      if (next === 'close') onClose?.()
      // Escape also answers the question: it keeps what was typed.
      if (next === 'ask') isAsking.value = by !== 'escape' || !isAsking.value
    },
  }
}
