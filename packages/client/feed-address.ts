type Value = string | number | boolean | undefined

/** Parameters of a path or of a query. */
export type Params = Readonly<Record<string, Value | readonly Value[]>>

/**
 * Returns the address that precedes the path of a feed: the one that came with its ticket, or that
 * of the API.
 *
 * @throws `Error` if it is none, and if only the API is reached with TLS
 */
export function feedsBase(api: string, named: string | undefined): string {
  if (named === undefined) return api.replace(/^http/i, 'ws')
  const { protocol } = new URL(named)
  if (!/^wss?:$/.test(protocol)) throw new Error(`${named} is not an address of feeds`)
  if (protocol === 'ws:' && new URL(api).protocol === 'https:')
    throw new Error(`the feeds at ${named} are not encrypted, and ${api} is`)
  return named
}

/** Returns a path with its placeholders filled in, and a query. A list repeats its parameter. */
export function addressOf(path: string, values: Params = {}, query: Params = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '')
    // An empty segment, `.` and `..` would lead to another path.
    if (/^\.{0,2}$/.test(value)) throw new Error(`${JSON.stringify(value)} is no ${name}`)
    return encodeURIComponent(value)
  })
  const words = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined) words.append(name, String(one))
  }
  return `${filled}?${words}`
}
