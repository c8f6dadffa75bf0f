import { expect, test } from 'vitest'
import { operationsReadMax } from '../../functions/core/ports/operations.ts'
import { idMadeAt, operation } from '../testing/contract/samples.ts'
import { memoryClock } from '../testing/memory/clock.ts'
import { type Item, packed } from './item.ts'
import { storedOperations } from './operations.ts'
import type { Table } from './table.ts'

test('a list stops after ten thousand operations, and goes on from there without loss', async () => {
  const clock = memoryClock()
  const items: Item[] = Array.from({ length: operationsReadMax + 50 }, (_, age) => {
    const id = idMadeAt(clock.now() - age)
    return { pk: 'operations', sk: id, ...packed(operation(id)) }
  })
  const query: Table['query'] = async (_, { after, limit } = {}) =>
    items.filter(({ sk }) => after === undefined || sk < after).slice(0, limit)
  const { list } = storedOperations({ query } as Table, clock)
  const oldest = items.at(-1)?.sk
  const where = ({ id }: { id: string }) => id === oldest
  const first = await list({ limit: 9, where })
  expect(first).toEqual({ operations: [], next: items[operationsReadMax - 1]?.sk })
  const second = await list({ limit: 9, where, before: first.next })
  expect([second.operations.map(({ id }) => id), second.next]).toEqual([[oldest], undefined])
})
