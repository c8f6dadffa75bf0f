import { base } from './browser-endpoints.ts'
import type { Ticket } from './feed.ts'
import { addressOf, type Params } from './paths.ts'

/** Returns the URL that opens a feed: where its ticket says, or else at the address of the page. */
export function feedAddress(
  path: string,
  params: Params,
  { ticket, url }: Ticket,
  { protocol, host }: Pick<Location, 'protocol' | 'host'>,
): string {
  const own = `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${base}`
  return (url ?? own) + addressOf(path, { ...params, ticket })
}
