import type { HostId } from '../host-ids.ts'
import type { components } from './api.types.ts'
import type { Cached, ServiceEvent } from './event-table.ts'

type Container = components['schemas']['Container']
export type Containers = readonly Container[] | { items: readonly Container[] }

/** The only container of a list that an event changed. */
export interface ChangedRow {
  key: string
  path: { id: string }
  query: { host: HostId }
}

/** Events of a container after which a list has the same containers in the same order. */
const keepsPlace = /^container\.(start|stop|die|kill|restart|oom|pause|unpause|health_status.*)$/

/**
 * Returns the row that an event changed in a cached list, or undefined if the event may have
 * changed more. Only handles the list of all containers, which also has the stopped ones.
 */
export function rowChangedBy(
  { kind, subject, host_id }: ServiceEvent,
  { path, params }: Cached,
): ChangedRow | undefined {
  if (path !== '/containers' || params.all !== true || !keepsPlace.test(kind)) return undefined
  if (!subject || !host_id) return undefined
  const { id } = subject
  return { key: `${host_id}/${id}`, path: { id }, query: { host: host_id } }
}

/**
 * Returns the list with the row of this container replaced.
 *
 * @throws Error if the list has no such row
 */
export function withContainer(list: Containers, newer: Container): Containers {
  if ('items' in list) return { ...list, items: withRow(list.items, newer) }
  return withRow(list, newer)
}

function withRow(rows: readonly Container[], newer: Container): Container[] {
  const place = rows.findIndex(({ id, host_id }) => id === newer.id && host_id === newer.host_id)
  const row = rows[place]
  if (!row) throw new Error('the list has no such container')
  // The details have more fields than a row, and name an image differently that lost its name.
  const known = Object.keys(row).filter((name) => name !== 'image') as (keyof Container)[]
  const changes = Object.fromEntries(known.map((name) => [name, newer[name]]))
  return rows.with(place, { ...row, ...changes })
}
