/**
 * Returns what a custom property is now, for a canvas: it knows neither properties nor
 * `light-dark()`.
 */
export function resolvedColor(place: HTMLElement, property: string): string {
  const probe = document.createElement('i')
  probe.style.color = `var(${property})`
  place.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Calls back after a change of the theme, until the returned function is called. */
export function onTheme(work: () => void): () => void {
  const observer = new MutationObserver(work)
  const attributeFilter = ['data-theme', 'data-contrast']
  observer.observe(document.documentElement, { attributes: true, attributeFilter })
  const query = matchMedia('(prefers-color-scheme: dark)')
  query.addEventListener('change', work)
  return () => {
    observer.disconnect()
    query.removeEventListener('change', work)
  }
}
