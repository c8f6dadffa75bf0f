import { readConfig } from '../config/config.ts'
import { StartError } from '../process/start-error.ts'
import { openConfiguredStore } from '../start/configured-store.ts'
import { checkCopy, importCopy } from '../transfer/import-copy.ts'
import { openStore } from '../transfer/open-store.ts'
import type { CopyArguments } from './arguments.ts'

/**
 * Writes the copy of a shared store, as it was before an upgrade converted it, to empty tables.
 *
 * @throws StartError if the directory is no such copy, or the store is the service's own
 */
export async function restoreCopy(
  { copy, data }: CopyArguments,
  say: (line: string) => void,
): Promise<void> {
  const env = data ? { ...process.env, SERVICE_DATA_DIR: data } : process.env
  const config = readConfig(env)
  if (config.store.kind === 'dynamodb' && !config.store.endpoint) {
    throw new StartError(
      'The service has a store of its own. Put the files of the copy into its directory dynamodb: see docs/upgrading.md.',
    )
  }
  checkCopy(copy)
  const { store, stop } = await openConfiguredStore(config)
  try {
    await openStore(store, 'empty')
    await importCopy(store, copy, say)
    say(`Restored into ${store.place}. Start the older version of the service now.`)
  } finally {
    await stop()
  }
}
