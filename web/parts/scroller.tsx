import './scroller.css'
import type { ComponentChildren } from 'preact'

interface ScrollerProps {
  label: string
  children: ComponentChildren
  /** At most 240 px high, for a dialog. */
  isLow?: boolean
}

/** A part of a page that scrolls alone. It takes the focus, so that the keyboard can scroll it. */
export const Scroller = ({ label, children, isLow }: ScrollerProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll
  <section class={isLow ? 'scroller low' : 'scroller'} tabIndex={0} aria-label={label}>
    {children}
  </section>
)
