import { groupBy } from '../group-by.ts'
import type { ServiceUpdate } from '../updates/list-updates.ts'

/** How many services or reasons a line names. */
const namedMax = 5

/** Returns in one line the services that have a newer image: `db: postgres:17, web: nginx:1.29`. */
export const newerText = (updates: readonly ServiceUpdate[]): string =>
  listed(
    updates.map(({ service }) => `${service.service}: ${service.reference}`),
    ', ',
  )

/** Returns in one line why looks failed: `docker.io: no route to host (db, web)`. */
export function failureText(updates: readonly ServiceUpdate[]): string {
  const byReason = groupBy(updates, ({ status }) => status.reason ?? '')
  return listed(
    [...byReason].map(([reason, of]) => {
      const names = of.map(({ service }) => service.service)
      return `${reason} (${listed(names, ', ')})`
    }),
    '; ',
  )
}

function listed(all: readonly string[], separator: string): string {
  const more = all.length - namedMax
  const named = all.slice(0, namedMax).join(separator)
  return more > 0 ? `${named} and ${more} more` : named
}
