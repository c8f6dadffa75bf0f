import './panel.css'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface PanelProps {
  title?: string
  children: ComponentChildren
  /** Beside the title. */
  actions?: ComponentChildren
  /** Has no padding, for a table. */
  isFlush?: boolean
}

/** A part of a page that belongs together, on its own surface. */
export function Panel({ title, children, actions, isFlush }: PanelProps) {
  const id = useId()
  return (
    <section class={isFlush ? 'panel flush' : 'panel'} aria-labelledby={title ? id : undefined}>
      {(title || actions) && (
        <header>
          {title && <h2 id={id}>{title}</h2>}
          {actions && <div class="panel-actions">{actions}</div>}
        </header>
      )}
      <div class="panel-body">{children}</div>
    </section>
  )
}

/** Facts with their names, in two columns. Entries that are false are left out. */
export function Facts({ of }: { of: readonly (readonly [string, ComponentChildren] | false)[] }) {
  return (
    <dl class="facts">
      {of.map(
        (fact) =>
          fact && (
            <div key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
