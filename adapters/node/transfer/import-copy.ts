import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import {
  type ItemChunk,
  type StoreTable,
  storeTables,
} from '../../../functions/core/backups/system/system-parts.ts'
import { importItems } from '../../store/import.ts'
import type { StoreTables } from '../../store/store.ts'
import { StartError } from '../process/start-error.ts'

/** Items that are read before they are written. */
const itemsAtOnce = 100

/** @throws StartError if the directory is no copy of a store */
export function checkCopy(copy: string): void {
  const missing = storeTables.map((name) => fileOf(copy, name)).find((path) => !existsSync(path))
  if (missing) throw new StartError(`${copy} is not a copy of a store: ${missing} is missing`)
}

/** Writes the items of a copy to empty tables. Calls `say` with a line for each table. */
export async function importCopy(
  store: StoreTables,
  copy: string,
  say: (line: string) => void,
): Promise<void> {
  for (const name of storeTables) {
    let items = 0
    for await (const chunk of copiedItems(copy, name)) {
      await importItems(store, chunk)
      items += chunk.count
    }
    say(`${items} ${name} restored`)
  }
}

const fileOf = (directory: string, name: StoreTable) => join(directory, `${name}.ndjson.gz`)

/** Yields the items of a table in a copy. */
export async function* copiedItems(copy: string, table: StoreTable): AsyncGenerator<ItemChunk> {
  const input = createReadStream(fileOf(copy, table)).pipe(createGunzip())
  let chunk: string[] = []
  const takeChunk = () => {
    const lines = Buffer.from(chunk.map((line) => `${line}\n`).join(''))
    const count = chunk.length
    chunk = []
    return { table, count, lines }
  }
  for await (const line of createInterface({ input })) {
    chunk.push(line)
    if (chunk.length >= itemsAtOnce) yield takeChunk()
  }
  if (chunk.length > 0) yield takeChunk()
}
