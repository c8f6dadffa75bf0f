import './menu.css'
import { useSignal } from '@preact/signals'
import { Ellipsis, type IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { t } from '../text/text.ts'
import { Icon } from './icon.tsx'
import { moveFocus, placeBelow } from './menu-position.ts'

export interface MenuItem {
  label: string
  icon?: IconNode
  run?: () => void
  /** An address instead of an action. */
  href?: string
  kind?: 'plain' | 'danger'
  /** Why it cannot be chosen now. */
  blocked?: string | undefined
}

interface MenuProps {
  items: readonly (MenuItem | false | undefined)[]
  /** The accessible name of the button: "Actions of shop". */
  label?: string
  /** What the button shows; three dots by default. */
  children?: ComponentChildren
}

/** A button with a menu: arrows move in it, Escape closes it and returns the focus. */
export function Menu({ items, label = t.parts.more, children }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  // Each row of a list has a menu: only the open one has its items in the page.
  const isOpen = useSignal(false)
  const choose = (item: MenuItem) => {
    if (item.blocked !== undefined) return
    list.current?.hidePopover()
    button.current?.focus()
    item.run?.()
  }
  return (
    <span class="menu">
      <button
        ref={button}
        type="button"
        class={children ? 'button plain' : 'button quiet bare'}
        aria-label={children ? undefined : label}
        title={children ? undefined : label}
        aria-haspopup="menu"
        popovertarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          list.current?.showPopover()
        }}
      >
        {children ?? <Icon of={Ellipsis} />}
      </button>
      <div
        ref={list}
        id={id}
        class="menu-list"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        onBeforeToggle={({ newState }) => {
          if (newState === 'open') isOpen.value = true
        }}
        onToggle={(event) => {
          placeBelow(button.current, list.current, event)
          // Not before: the browser returns the focus only from an item that is still there.
          if (event.newState === 'closed') isOpen.value = false
        }}
        onKeyDown={(event) => moveFocus(list.current, button.current, event)}
      >
        {isOpen.value &&
          items.map(
            (item) => item && <Item key={item.label} item={item} choose={() => choose(item)} />,
          )}
      </div>
    </span>
  )
}

function Item({ item, choose }: { item: MenuItem; choose: () => void }) {
  const { label, icon, href, kind = 'plain', blocked } = item
  const content = (
    <>
      {icon ? <Icon of={icon} /> : <span class="no-icon" />}
      {label}
    </>
  )
  const role = 'menuitem' as const
  const common = { class: kind, role, tabIndex: -1, title: blocked, onClick: choose }
  if (href !== undefined)
    return (
      <a {...common} href={href}>
        {content}
      </a>
    )
  return (
    <button {...common} type="button" aria-disabled={blocked !== undefined || undefined}>
      {content}
    </button>
  )
}
