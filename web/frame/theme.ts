import { signal } from '@preact/signals'
import { kept } from '../browser/storage.ts'

export type Theme = 'system' | 'light' | 'dark'

const root = document.documentElement
const themeIn = (stored: string | null): Theme =>
  stored === 'light' || stored === 'dark' ? stored : 'system'

/** The chosen theme; first-theme.ts has applied it. */
export const theme = signal<Theme>(themeIn(kept.getItem('theme')))
export const hasMoreContrast = signal(root.dataset.contrast === 'more')

export function setTheme(next: Theme): void {
  theme.value = next
  kept.setItem('theme', next)
  if (next === 'system') delete root.dataset.theme
  else root.dataset.theme = next
}

export function setContrast(more: boolean): void {
  hasMoreContrast.value = more
  kept.setItem('contrast', more ? 'more' : 'usual')
  if (more) root.dataset.contrast = 'more'
  else delete root.dataset.contrast
}
