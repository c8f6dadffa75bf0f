import { useLocation } from 'preact-iso/router'

/** Returns the address that selects a row of the list, with its filters, by the key of the row. */
export function useSelectHref(name: string): (key: string) => string {
  const { path, query } = useLocation()
  return (key) => `${path}?${new URLSearchParams({ ...query, [name]: key })}`
}
