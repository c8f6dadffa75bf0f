import './page.css'
import { ChevronRight } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useRoute } from 'preact-iso/router'
import { Icon } from '../parts/icon.tsx'
import { type Tab, Tabs } from '../parts/tabs.tsx'
import { t } from '../text/text.ts'

export interface PageProps {
  title: string
  children: ComponentChildren
  /** The state of what the page shows. */
  state?: ComponentChildren
  /** The one primary action, and a menu with the others. */
  actions?: ComponentChildren
  /** The pages above this one. */
  above?: readonly { href: string; label: string }[]
  tabs?: readonly Tab[] | undefined
  /** The filter of the list, and what belongs to it. */
  toolbar?: ComponentChildren
  /** Fills the window, for a long list, logs, the editor or a terminal. */
  isFull?: boolean
}

let lastPath: string | undefined

/** Makes the next page focus its title, after something that is no page, such as the login. */
export const focusNextTitle = (): void => {
  lastPath = ''
}

/** A page: title with state and primary action, tabs, content. Navigation focuses its title. */
export function Page(props: PageProps) {
  const { title, children, state, actions, above = [], tabs, toolbar, isFull } = props
  // That of this page: while the next one loads, the location is already the next one's.
  const { path } = useRoute()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${t.product}`
  }, [title])
  useLayoutEffect(() => {
    if (lastPath !== undefined && lastPath !== path) heading.current?.focus()
    lastPath = path
  }, [path])
  return (
    <div class={isFull ? 'page full' : 'page'}>
      <header class="page-head">
        {above.map(({ href, label }) => (
          <span key={href} class="above">
            <a href={href}>
              <span class="above-word">{label}</span>
            </a>
            <Icon of={ChevronRight} />
          </span>
        ))}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {state}
        {actions && <div class="page-actions">{actions}</div>}
      </header>
      {tabs && <Tabs label={title} tabs={tabs} current={path} />}
      {toolbar && <div class="toolbar">{toolbar}</div>}
      <div class="page-body">{children}</div>
    </div>
  )
}
