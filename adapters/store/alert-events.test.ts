import { expect, test } from 'vitest'
import { eventsReadMax } from '../../functions/core/ports/alert-events.ts'
import type { AlertEvent } from '../../functions/core/records/alert-event.ts'
import { alertEvent, idMadeAt } from '../testing/contract/samples.ts'
import { memoryClock } from '../testing/memory/clock.ts'
import { storedAlertEvents } from './alert-events.ts'
import { type Item, packed } from './item.ts'
import type { Table } from './table.ts'

const more = 250

/** Returns a table with more events than a list reads, and which were read. */
function tableOfMany(now: number) {
  const items: Item[] = Array.from({ length: eventsReadMax + more }, (_, age) => {
    const id = idMadeAt(now - age)
    return { pk: 'alert-events', sk: id, ...packed({ ...alertEvent(id), at: now - age }) }
  })
  let read = 0
  const query: Table['query'] = async (_, { after, limit = Number.POSITIVE_INFINITY } = {}) => {
    const found = items.filter(({ sk }) => after === undefined || sk < after).slice(0, limit)
    read += found.length
    return found
  }
  return { table: { query } as Table, items, read: () => read }
}

test('a list stops after ten thousand events, and goes on from there without loss', async () => {
  const clock = memoryClock()
  const { table, items, read } = tableOfMany(clock.now())
  const { list } = storedAlertEvents(table, clock)
  const oldest = items.at(-1)?.sk
  const where = ({ id }: AlertEvent) => id === oldest
  const first = await list({ limit: 9, where })
  expect([first.events, read()]).toEqual([[], eventsReadMax])
  expect(first.next).toBe(items[eventsReadMax - 1]?.sk)
  const second = await list({ limit: 9, where, before: first.next })
  expect([second.events.map(({ id }) => id), second.next]).toEqual([[oldest], undefined])
  expect(read()).toBe(eventsReadMax + more)
})
