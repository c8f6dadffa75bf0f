import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { type StoreTable, storeTables } from '../../../functions/core/backups/system-parts.ts'
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
    for await (const { count, lines } of chunksOf(fileOf(copy, name))) {
      await importItems(store, { table: name, count, lines })
      items += count
    }
    say(`${items} ${name} restored`)
  }
}

const fileOf = (directory: string, name: StoreTable) => join(directory, `${name}.ndjson.gz`)

async function* chunksOf(path: string): AsyncGenerator<{ count: number; lines: Uint8Array }> {
  const input = createReadStream(path).pipe(createGunzip())
  let chunk: string[] = []
  const takeChunk = () => {
    const lines = Buffer.from(chunk.map((line) => `${line}\n`).join(''))
    const count = chunk.length
    chunk = []
    return { count, lines }
  }
  for await (const line of createInterface({ input })) {
    chunk.push(line)
    if (chunk.length >= itemsAtOnce) yield takeChunk()
  }
  if (chunk.length > 0) yield takeChunk()
}
