import { useLocation } from 'preact-iso/router'

/**
 * Returns a value of the address's query and a setter, for everything that is seen: filters, the
 * order, the selection, the open panel. The setter replaces the entry of the history, so that Back
 * leaves the page.
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
