/** How a reader tries to close a dialog: a click beside it, the Escape key, or a button of it. */
export type WayOut = 'beside' | 'escape' | 'button'

export interface Leaving {
  /** Something was typed or chosen that would be lost. */
  isTouched: boolean
  /** What it shows is shown once. */
  isShownOnce: boolean
}

/**
 * Returns what happens when a reader tries to close a dialog. A click beside it may be a slip, so
 * it never costs anything. Escape and buttons ask before what was typed is lost.
 */
export function leave(by: WayOut, { isTouched, isShownOnce }: Leaving): 'close' | 'stay' | 'ask' {
  if (by === 'beside') return isTouched || isShownOnce ? 'stay' : 'close'
  return isTouched ? 'ask' : 'close'
}
