/**
 * Returns the media query under which the colour of a theme counts.
 *
 * @param chosen the theme that the reader chose; any other value stands for that of the system
 */
export function themeMedia(theme: string | undefined, chosen: string | undefined): string {
  if (chosen !== 'light' && chosen !== 'dark') return `(prefers-color-scheme: ${theme})`
  return chosen === theme ? 'all' : 'not all'
}
