import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip as gzipWith } from 'node:zlib'
import { storeTables } from '../../../functions/core/backups/system/system-parts.ts'
import { exportItems } from '../../store/export.ts'
import type { StoreTables } from '../../store/store.ts'
import type { Config } from '../config/config.ts'
import { systemClock } from '../process/clock.ts'

const gzip = promisify(gzipWith)

/** How a store is copied. */
export interface CopyOptions {
  /** Copies the files of a store that belongs to this process. A shared store is exported. */
  copyStore: ((target: string) => Promise<void>) | undefined
  /** Aborts when the service is to stop before it has started. */
  signal: AbortSignal | undefined
}

/** Returns the options of `openStore` that say how the store is copied before it is converted. */
export function copyOptions(
  { dataDirectory }: Pick<Config, 'dataDirectory'>,
  store: StoreTables,
  { copyStore, signal = new AbortController().signal }: Partial<CopyOptions>,
) {
  return {
    exclusive: copyStore !== undefined,
    signal,
    /** Returns the path of the new copy: a directory below the data directory. */
    async copy(): Promise<string> {
      const name = new Date().toISOString().replace(/[:.]/g, '-')
      const copies = join(dataDirectory, 'store-copies')
      await removeUnfinished(copies)
      const target = join(copies, name)
      if (copyStore) await copyStore(target)
      else await exportCopy(store, target, signal)
      return target
    },
  }
}

/** Removes what processes left that were killed while they copied: only one copies at a time. */
async function removeUnfinished(copies: string): Promise<void> {
  await mkdir(copies, { recursive: true, mode: 0o700 })
  for (const name of await readdir(copies)) {
    if (name.endsWith('.unfinished')) await rm(join(copies, name), { recursive: true })
  }
}

/**
 * Writes the items of a shared store to `<target>/items.ndjson.gz` and `logs.ndjson.gz`, in the
 * format of DynamoDB's own exports. The directory gets its name when it is complete.
 */
export async function exportCopy(
  store: StoreTables,
  target: string,
  signal: AbortSignal,
): Promise<void> {
  const unfinished = `${target}.unfinished`
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  const fileOf = (name: string) => open(join(unfinished, `${name}.ndjson.gz`), 'wx', 0o600)
  const files = { items: await fileOf('items'), logs: await fileOf('logs') }
  try {
    // Parts that are compressed on their own make up one valid file.
    for await (const { table, lines } of exportItems(store, systemClock, signal))
      await files[table].appendFile(await gzip(lines))
    for (const name of storeTables) await files[name].sync()
  } finally {
    for (const name of storeTables) await files[name].close()
  }
  await rename(unfinished, target)
}
