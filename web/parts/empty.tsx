import './empty.css'
import type { ComponentChildren } from 'preact'

interface EmptyProps {
  /** One sentence: "No stacks yet". */
  title: string
  children?: ComponentChildren
  /** The next step. */
  action?: ComponentChildren
}

/** A list without entries: one sentence and the next step. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <p>{children}</p>}
      {action}
    </div>
  )
}
