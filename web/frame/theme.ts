import { signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const root = document.documentElement

/** The chosen theme; first-theme.ts has applied it. */
export const theme = signal<Theme>((localStorage.getItem('theme') as Theme | null) ?? 'system')
export const hasMoreContrast = signal(root.dataset.contrast === 'more')

export function setTheme(next: Theme): void {
  theme.value = next
  localStorage.setItem('theme', next)
  if (next === 'system') delete root.dataset.theme
  else root.dataset.theme = next
}

export function setContrast(more: boolean): void {
  hasMoreContrast.value = more
  localStorage.setItem('contrast', more ? 'more' : 'usual')
  if (more) root.dataset.contrast = 'more'
  else delete root.dataset.contrast
}
