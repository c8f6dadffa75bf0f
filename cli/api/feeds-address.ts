import { failed } from '../failure.ts'
import { apiPrefix } from './http.ts'

/**
 * Returns the address that precedes the path of a feed such as `/ws/events`: the one that the
 * server names, or else its own.
 *
 * Throws a `CliFailure` if the server names no address of feeds, or one without TLS although it is
 * reached with TLS itself.
 */
export function feedsAddress(server: string, named: string | undefined): string {
  if (named === undefined) return server.replace(/^http/, 'ws') + apiPrefix
  const hint = `${server} names that address: check SERVICE_FEEDS_URL there`
  const url = URL.canParse(named) ? new URL(named) : undefined
  if (!url || !/^wss?:$/.test(url.protocol) || url.username || url.password || url.search) {
    throw failed(`${JSON.stringify(named)} is not an address of feeds`, { hint })
  }
  if (url.protocol === 'ws:' && new URL(server).protocol === 'https:') {
    throw failed(`${named} is not encrypted, and ${server} is: its feeds need wss://`, { hint })
  }
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`
}
