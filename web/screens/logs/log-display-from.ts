import type { LogDisplay } from './shown-line.ts'

/** Returns how logs are displayed: what was stored, as far as it is valid, or else the usual. */
export function logDisplayFrom(stored: unknown, usual: LogDisplay): LogDisplay {
  const chosen =
    typeof stored === 'object' && stored !== null ? new Map(Object.entries(stored)) : []
  const given = new Map<string, unknown>(chosen)
  const of = (name: keyof LogDisplay): boolean => {
    const value = given.get(name)
    return typeof value === 'boolean' ? value : usual[name]
  }
  return { wrap: of('wrap'), times: of('times'), json: of('json') }
}
