import {
  afterAttempt,
  firstOfEach,
  newDelivery,
  retainUntil,
} from '../../../functions/core/alerts/delivery.ts'
import type { AlertDeliveries } from '../../../functions/core/ports/alert-deliveries.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { AlertDelivery, LastDelivery } from '../../../functions/core/records/alert-delivery.ts'

/** Returns an in-memory store of alert deliveries. */
export function memoryAlertDeliveries(clock: Clock): AlertDeliveries {
  const kept = new Map<string, { delivery: AlertDelivery; revision: number }>()
  const last: Record<string, LastDelivery> = {}
  let revisions = 0
  const keep = (delivery: AlertDelivery) => {
    revisions += 1
    kept.set(delivery.id, { delivery: structuredClone(delivery), revision: revisions })
    return revisions
  }
  const find = (id: string) => {
    const found = kept.get(id)
    if (!found) return undefined
    const until = retainUntil(found.delivery)
    return until !== null && until <= clock.now() ? undefined : found
  }
  const all = (state: AlertDelivery['state']) =>
    [...kept.keys()]
      .flatMap((id) => find(id)?.delivery ?? [])
      .filter((delivery) => delivery.state === state)
      .sort((a, b) => (isEarlier(a, b) ? -1 : 1))
  return {
    async add(event, channelIds) {
      const now = clock.now()
      for (const channelId of channelIds) {
        const fresh = newDelivery(event, channelId, now)
        if (!kept.has(fresh.id)) keep(fresh)
      }
    },
    async due(perChannel) {
      const due = all('pending').filter(({ at }) => at <= clock.now())
      const shown = due.map(({ id, channelId }) => ({ id, channelId }))
      return firstOfEach(shown, perChannel)
    },
    async claim(id, milliseconds) {
      const found = find(id)?.delivery
      if (found?.state !== 'pending' || found.at > clock.now()) return undefined
      const taken = { ...found, tries: found.tries + 1, at: clock.now() + milliseconds }
      return { ...structuredClone(taken), revision: keep(taken) }
    },
    async recordAttempt({ revision, ...delivery }, outcome) {
      if (kept.get(delivery.id)?.revision !== revision) return false
      const ended = afterAttempt(delivery, outcome, clock.now())
      keep(ended)
      last[delivery.channelId] = { state: ended.state, error: ended.error, at: clock.now() }
      return true
    },
    async find(id) {
      return structuredClone(find(id)?.delivery)
    },
    async list(state, limit, before) {
      const found = structuredClone(all(state))
      const ordered = state === 'dead' ? found.reverse() : found
      const isBehind = (one: AlertDelivery) => !before || isEarlier(one, before)
      const behind = ordered.filter(isBehind)
      const deliveries = behind.slice(0, limit)
      return { deliveries, next: behind.length > limit ? deliveries.at(-1) : undefined }
    },
    async retry(id) {
      const found = find(id)?.delivery
      if (found?.state !== 'dead') return false
      keep({ ...found, state: 'pending', tries: 0, at: clock.now() })
      return true
    },
    async dropChannel(channelId) {
      for (const { delivery } of [...kept.values()]) {
        if (delivery.channelId === channelId && delivery.state !== 'delivered') {
          kept.delete(delivery.id)
        }
      }
      delete last[channelId]
    },
    async last() {
      return structuredClone(last)
    },
  }
}

type Place = Pick<AlertDelivery, 'id' | 'at'>

const isEarlier = (one: Place, other: Place) =>
  one.at === other.at ? one.id < other.id : one.at < other.at
