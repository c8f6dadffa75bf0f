import { sqliteStore } from '../../adapters/sqlite/store.ts'

/**
 * A child process that writes numbered items into a store, sixteen at a time, until it is killed.
 * It tells its parent the number of each item once its write is acknowledged.
 */
const [file = '', name = ''] = process.argv.slice(2)
const store = sqliteStore({ file, explain: async () => undefined })
await store.ensure()
let next = 0

async function write(): Promise<void> {
  for (;;) {
    next += 1
    const number = next
    const data = 'x'.repeat((number * 997) % 20_000)
    const made = await store.items.put({ pk: name, sk: String(number), number, data })
    await store.items.update(
      { pk: name, sk: String(number) },
      {
        set: '#done = :done, #number = #number + :none',
        if: 'attribute_exists(#pk)',
        values: { done: 'yes', none: 0 },
      },
    )
    if (made) process.send?.(number)
  }
}

for (let at = 0; at < 16; at += 1) {
  write().catch((error) => {
    process.send?.(String(error))
    process.exit(1)
  })
}
