import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { focusFirstRow } from '../parts/row-keys.ts'

export interface Shortcut {
  /** A key, or two with a space: one after the other. */
  keys: string
  label: string
  run: () => void
}

/** The shortcuts of the page that is shown, by the component that has them. */
export const pageShortcuts = signal<ReadonlyMap<object, readonly Shortcut[]>>(new Map())
export const isHelpOpen = signal(false)
export const openShortcutHelp = (): void => {
  isHelpOpen.value = true
}

/** What the key for commands is called on this system. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl '

/** Adds shortcuts while the component is mounted. The help lists them under "This page". */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  const labels = shortcuts.map(({ keys, label }) => `${keys} ${label}`).join('\n')
  useEffect(() => {
    const owner = {}
    const now = latest.current.map((one, index) => ({
      ...one,
      run: () => latest.current[index]?.run(),
    }))
    pageShortcuts.value = new Map(pageShortcuts.value).set(owner, now)
    return () => {
      const rest = new Map(pageShortcuts.value)
      rest.delete(owner)
      pageShortcuts.value = rest
    }
  }, [labels])
}

const pause = 1000
let before = { key: '', at: 0 }

/** Runs the shortcut of a key. Returns whether there was one. */
export function runShortcut(event: KeyboardEvent, everywhere: readonly Shortcut[]): boolean {
  const { key } = event
  const isRecent = event.timeStamp - before.at < pause
  const sequence = isRecent ? `${before.key} ${key}` : key
  before = { key, at: event.timeStamp }
  const all = [...[...pageShortcuts.value.values()].flat(), ...everywhere]
  const found = all.find(({ keys }) => keys === sequence) ?? all.find(({ keys }) => keys === key)
  if (found) {
    before = { key: '', at: 0 }
    found.run()
    return true
  }
  return (key === 'j' || key === 'ArrowDown') && !isInList() && focusFirstRow()
}

const isInList = () => document.activeElement?.closest('[data-row]') !== null

/** Returns whether a key belongs to what has the focus: a field, the editor, a terminal, a menu. */
export function isTyping({ target }: KeyboardEvent): boolean {
  const element = target as HTMLElement
  return (
    element.isContentEditable ||
    element.closest('input:not([type="checkbox"]), textarea, select, [role="menu"], .xterm') !==
      null
  )
}

/** Focuses the filter of the page's list. */
export const focusFilter = (): void =>
  document.querySelector<HTMLElement>('main [data-filter]')?.focus()
