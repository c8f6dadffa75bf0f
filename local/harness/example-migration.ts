import { setTimeout as delay } from 'node:timers/promises'
import { type Item, type Key, newRevision } from '../../adapters/store/item.ts'
import type { Migration } from '../../adapters/store/migrations.ts'
import type { Table } from '../../adapters/store/table.ts'

/** Items of the example in the first format: a person with one field for the name. */
export async function givenPeople(items: Table, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const sk = String(index).padStart(4, '0')
    await items.put({ pk: 'people', sk, name: `Ann Lee ${sk}`, rev: newRevision() })
  }
}

/** Returns how many people are stored in the first format, and how many in the second. */
export async function countPeople(items: Table): Promise<{ first: number; second: number }> {
  const people = await items.query('people')
  const first = people.filter(({ name }) => name !== undefined).length
  const second = people.filter(
    ({ given, family, sk }) => given === 'Ann' && family === `Lee ${sk}`,
  ).length
  return { first, second }
}

/** Milliseconds before each item, so that a test can kill the process half-way. */
const pause = Number(process.env.EXAMPLE_PAUSE ?? 0)

/** A migration as a version would have it: the name is split into two fields. */
export const exampleMigration: Migration = {
  from: 1,
  to: 2,
  async run({ items }, signal) {
    let from: Key | undefined
    do {
      const page = await items.scanPage({
        filter: '#pk = :people AND attribute_exists(#name)',
        values: { people: 'people' },
        attributes: ['name', 'rev'],
        limit: 20,
        ...(from && { from }),
      })
      for (const item of page.items) {
        if (signal.aborted) return
        await delay(pause)
        await convert(items, item)
      }
      from = page.next
    } while (from)
  },
}

async function convert(items: Table, { pk, sk, name, rev }: Item): Promise<void> {
  const [given, ...family] = String(name).split(' ')
  const unchanged = { if: '#rev = :seen', values: { seen: rev as number } }
  await items.put({ pk, sk, given, family: family.join(' '), rev: newRevision() }, unchanged)
}
