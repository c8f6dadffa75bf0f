import {
  afterAttempt,
  firstOfEach,
  newDelivery,
  retainUntil,
} from '../../functions/core/alerts/delivery.ts'
import type { AlertDeliveries } from '../../functions/core/ports/alert-deliveries.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import type { AlertDelivery, LastDelivery } from '../../functions/core/records/alert-delivery.ts'
import { unchanged } from './collection.ts'
import { type Item, newRevision, packed, ttlAt, unpacked } from './item.ts'
import { absent, type Table } from './table.ts'

/**
 * Stores a delivery as one item (`alert-delivery#<id>`, `-`), so that each of its steps is one
 * conditional write. The index lists it under its state (`alert-deliveries#<state>`), sorted by
 * time. A claim moves that time into the future. The index may lag behind, so what it lists is read
 * again from the table. Deliveries that ended expire. The last result of each channel is an item
 * (`alert-channel-last`, channel).
 */
export function storedAlertDeliveries(table: Table, clock: Clock): AlertDeliveries {
  const read = async (id: string) => {
    const item = await table.get(keyOf(id), '-')
    return item && !isOver(item, clock.now()) ? item : undefined
  }
  const replace = (before: number, delivery: AlertDelivery) =>
    table.put(itemOf(delivery), unchanged(before))
  return {
    async add(event, channelIds) {
      const now = clock.now()
      const fresh = [...new Set(channelIds)].map((id) => newDelivery(event, id, now))
      await Promise.all(fresh.map((delivery) => table.put(itemOf(delivery), absent)))
    },
    async due(perChannel) {
      const items = await table.queryIndex(indexOf('pending'), { upTo: `${padded(clock.now())}~` })
      const due = items.map(({ pk, channel }) => ({ id: idOf(pk), channelId: channel as string }))
      return firstOfEach(due, perChannel)
    },
    async claim(id, milliseconds) {
      const item = await read(id)
      if (!item) return undefined
      const found = deliveryOf(item)
      const now = clock.now()
      if (found.state !== 'pending' || found.at > now) return undefined
      const taken = { ...found, tries: found.tries + 1, at: now + milliseconds }
      const next = itemOf(taken)
      const isTaken = await table.put(next, unchanged(item.rev as number))
      return isTaken ? { ...taken, revision: next.rev as number } : undefined
    },
    async recordAttempt({ revision, ...delivery }, outcome) {
      const ended = afterAttempt(delivery, outcome, clock.now())
      if (!(await replace(revision, ended))) return false
      const last: LastDelivery = { state: ended.state, error: ended.error, at: clock.now() }
      await table.put({ ...lastKey(delivery.channelId), ...packed(last) })
      return true
    },
    async find(id) {
      const item = await read(id)
      return item && deliveryOf(item)
    },
    async list(state, limit, before) {
      const newestFirst = state === 'dead'
      // One more shows whether the list goes on, and the index returns `before` itself too.
      const place = before && { upTo: placeOf(before) }
      const options = { newestFirst, limit: limit + 2, attributes: ['gsi1sk'], ...place }
      const reached = await table.queryIndex(indexOf(state), options)
      const behind = reached.filter(({ pk }) => pk !== (before && keyOf(before.id)))
      const indexed = behind.slice(0, limit)
      const last = behind.length > limit ? indexed.at(-1) : undefined
      const items = await table.getMany(indexed.map(({ pk, sk }) => ({ pk, sk })))
      const found = items
        .filter((item) => item.gsi1pk === indexOf(state) && !isOver(item, clock.now()))
        .sort((one, other) => (String(one.gsi1sk) < String(other.gsi1sk) ? -1 : 1))
      const deliveries = (newestFirst ? found.reverse() : found).map(deliveryOf)
      return { deliveries, next: last && { id: idOf(last.pk), at: timeIn(String(last.gsi1sk)) } }
    },
    async retry(id) {
      const item = await read(id)
      if (!item) return false
      const found = deliveryOf(item)
      if (found.state !== 'dead') return false
      const again = { ...found, state: 'pending', tries: 0, at: clock.now() } as const
      return replace(item.rev as number, again)
    },
    async dropChannel(channelId) {
      const states = await Promise.all(
        (['pending', 'dead'] as const).map((state) => table.queryIndex(indexOf(state))),
      )
      const items = states.flat().filter(({ channel }) => channel === channelId)
      await table.removeMany([...items.map(({ pk, sk }) => ({ pk, sk })), lastKey(channelId)])
    },
    async last() {
      const items = await table.query('alert-channel-last')
      return Object.fromEntries(items.map((item) => [item.sk, unpacked<LastDelivery>(item)]))
    },
  }
}

function itemOf(delivery: AlertDelivery): Item {
  const { id, channelId, state, at } = delivery
  return {
    pk: keyOf(id),
    sk: '-',
    rev: newRevision(),
    channel: channelId,
    gsi1pk: indexOf(state),
    gsi1sk: placeOf({ id, at }),
    ttl: ttlAt(retainUntil(delivery)),
    ...packed(delivery),
  }
}

const isOver = ({ ttl }: Item, now: number) => ttl !== undefined && ttl * 1000 <= now

const keyOf = (id: string) => `alert-delivery#${id}`
const idOf = (pk: string) => pk.slice('alert-delivery#'.length)
const indexOf = (state: AlertDelivery['state']) => `alert-deliveries#${state}`
const lastKey = (channelId: string) => ({ pk: 'alert-channel-last', sk: channelId })
const placeOf = ({ id, at }: Pick<AlertDelivery, 'id' | 'at'>) => `${padded(at)}#${id}`
/** Returns the time in a place. */
const timeIn = (place: string) => Number(place.split('#', 1)[0])
const padded = (at: number) => String(at).padStart(15, '0')
const deliveryOf = (item: Item) => unpacked<AlertDelivery>(item)
