import type { IconNode } from 'lucide'
import { usePalette } from './palette-state.ts'
import { useShortcuts } from './shortcuts.ts'

interface PageAction {
  label: string
  icon?: IconNode
  keys: string
  run: () => void
}

/** Adds the main action of a page to its shortcuts and to the palette, if the reader has it. */
export function usePageAction(action: PageAction | false): void {
  useShortcuts(action ? [action] : [])
  usePalette(() => (action ? [action] : []))
}
