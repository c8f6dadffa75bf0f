import { useLocation } from 'preact-iso/router'

let follow: (href: string, replace?: boolean) => void = () => {}

/** Gives `go` the router's way to change the address. */
export function setNavigator(route: typeof follow): void {
  follow = route
}

/** Opens a page of the UI. One that replaces the page before is where Back from it led. */
export const go = (href: string, isReplacing = false): void => follow(href, isReplacing)

/**
 * Returns a value of the address's query and a setter, for everything that is seen: filters, the
 * selection, the open panel. The setter replaces the entry of the history, so that Back leaves the
 * page.
 */
export function useQuery(name: string, fallback = ''): [string, (value: string) => void] {
  const { path, query, route } = useLocation()
  const set = (value: string) => {
    const next = new URLSearchParams(location.search)
    if (value === fallback) next.delete(name)
    else next.set(name, value)
    const words = next.toString()
    route(words ? `${path}?${words}` : path, true)
  }
  return [query[name] ?? fallback, set]
}
