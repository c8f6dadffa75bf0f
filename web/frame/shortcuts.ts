import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { focusFirstRow } from '../parts/row-keys.ts'

export interface Shortcut {
  /** A key, or two with a space: one after the other. */
  keys: string
  label: string
  run: () => void
}

/** The shortcuts of a component, as it was last rendered. */
interface Owner {
  readonly current: readonly Shortcut[]
}

const owners = signal<ReadonlySet<Owner>>(new Set())

/** Returns the shortcuts of the page that is shown. */
export const pageShortcuts = (): Shortcut[] => [...owners.value].flatMap(({ current }) => current)

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
  // A change of them is one of the help too, if that is open.
  const labels = shortcuts.map(({ keys, label }) => `${keys} ${label}`).join('\n')
  useEffect(() => {
    owners.value = new Set([...owners.value, latest])
    return () => {
      owners.value = new Set([...owners.value].filter((one) => one !== latest))
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
  const all = [...pageShortcuts(), ...everywhere]
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
