import './detail.css'
import { X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { IconButton } from '../parts/button.tsx'
import { focusReturner } from '../parts/focus-return.ts'
import { t } from '../text/text.ts'

interface DetailProps {
  title: string
  state?: ComponentChildren
  actions?: ComponentChildren
  children: ComponentChildren
  onClose: () => void
}

/** The details of a row, over the right side, so that the list stays. A page on a phone. */
export function Detail({ title, state, actions, children, onClose }: DetailProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const returnFocus = focusReturner()
    heading.current?.focus()
    return returnFocus
  }, [])
  return (
    <aside
      class="detail"
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose()
      }}
    >
      <header>
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {state}
        <div class="detail-actions">
          {actions}
          <IconButton icon={X} label={t.parts.close} onClick={onClose} />
        </div>
      </header>
      <div class="detail-body">{children}</div>
    </aside>
  )
}
