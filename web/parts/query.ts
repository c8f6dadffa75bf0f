import { useLocation } from 'preact-iso/router'

/**
 * Returns a value of the address's query and a setter, for everything that is seen: filters, the
 * order, the selection, the open panel. The setter replaces the entry of the history, so that Back
 * leaves the page.
 */
export function useQuery(name: string, fallback = ''): [string, (value: string) => void] {
  const { path, query, route } = useLocation()
  const set = (value: string) =>
    afterBack(() => route(addressWith(path, name, value === fallback ? '' : value), true))
  return [query[name] ?? fallback, set]
}

/**
 * The same for what lies over the page, such as a dialog: Back closes it. Opening it adds an entry
 * to the history, and closing it leaves that entry, so that none is there twice.
 *
 * @param isPage false for what lies beside the page in a wide window
 */
export function useOverlay(name: string, isPage = true): [string, (value: string) => void] {
  const { path, query, route } = useLocation()
  const value = query[name] ?? ''
  const set = (next: string) => {
    if (next === '' && isOverlay(history.state)) return goBack()
    const isAdded = value === '' && next !== '' && isPage
    afterBack(() => {
      if (isAdded) history.pushState(null, '', location.href)
      route(addressWith(path, name, next), true)
      if (isAdded) history.replaceState({ isOverlay: true }, '', location.href)
    })
  }
  return [value, set]
}

const isOverlay = (state: unknown) =>
  typeof state === 'object' && state !== null && 'isOverlay' in state

/** Resolves once the browser has gone back, which it does later. */
let leaving: Promise<void> | undefined

function goBack(): void {
  if (leaving) return
  leaving = new Promise((resolve) => {
    const gone = () => {
      leaving = undefined
      resolve()
    }
    addEventListener('popstate', gone, { once: true })
  })
  history.back()
}

/** Changes the address, once the browser has gone back if it is about to. */
export const afterBack = (change: () => void): void => {
  if (leaving) void leaving.then(change)
  else change()
}

function addressWith(path: string, name: string, value: string): string {
  const next = new URLSearchParams(location.search)
  if (value === '') next.delete(name)
  else next.set(name, value)
  const words = next.toString()
  return words ? `${path}?${words}` : path
}
