import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ownEntry } from '../../../functions/compose/lookup.ts'
import type { Store } from '../../store/store.ts'
import { readConfig } from '../config/config.ts'
import { StartError } from '../process/start-error.ts'
import { openConfiguredStore } from '../start/configured-store.ts'
import { endProgram } from '../start/end-program.ts'
import { exportCopy } from '../upgrade/copy-store.ts'
import { checkFormat } from '../upgrade/open-store.ts'
import { compareCopy } from './compare-copy.ts'
import { checkCopy, importCopy } from './import-copy.ts'
import { openStore } from './open-store.ts'

const usage = `Moves the records of the service between stores.

  npm run store -- export DIR   writes all lasting records to a new directory
  npm run store -- import DIR   writes them to an empty store
  npm run store -- compare DIR  says how the store differs from a directory; 1 if it does

All use the store that the configuration variables of the service name (SERVICE_STORE).
An export does not contain later changes: stop the service first.
Sessions are not exported: everyone signs in again.
`

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Uses the store that the configuration names, once its format is known to be the current one. */
async function useStore(work: (store: Store) => Promise<void>): Promise<void> {
  const { store, stop } = await openConfiguredStore(readConfig(process.env))
  try {
    await store.ensure()
    await checkFormat(store)
    await work(store)
  } finally {
    await stop()
  }
}

/** Writes the store's records to a new directory. */
async function exportTo(directory: string): Promise<void> {
  if (existsSync(directory)) throw new StartError(`${directory} exists: name a new directory`)
  await useStore(async (store) => {
    await exportCopy(store, directory, new AbortController().signal)
    say(`The records of ${store.place} are in ${directory}.`)
  })
}

/** Writes the records in a directory to the store, which must be empty. */
async function importFrom(directory: string): Promise<void> {
  checkCopy(directory)
  const { store, stop } = await openConfiguredStore(readConfig(process.env))
  try {
    await openStore(store, 'empty')
    await importCopy(store, directory, say)
    await checkFormat(store)
    say(`The records are in ${store.place}. Start the service now.`)
  } finally {
    await stop()
  }
}

/** Differences of each kind that are named. */
const namedMax = 10

/** Says how the records in the store differ from those in a directory. */
async function compareWith(directory: string): Promise<void> {
  checkCopy(directory)
  await useStore(async (store) => {
    const all = await compareCopy(store, directory)
    for (const { table, same, onlyInCopy, onlyInStore, changed } of all) {
      say(`${table}: ${same} the same`)
      sayKeys('only in the directory', onlyInCopy)
      sayKeys('only in the store', onlyInStore)
      sayKeys('changed', changed)
    }
    const isSame = all.every(
      ({ onlyInCopy, onlyInStore, changed }) =>
        onlyInCopy.length + onlyInStore.length + changed.length === 0,
    )
    if (!isSame) process.exitCode = 1
  })
}

function sayKeys(what: string, keys: readonly string[]): void {
  if (keys.length === 0) return
  say(`  ${keys.length} ${what}:`)
  for (const key of keys.slice(0, namedMax)) say(`    ${key}`)
  if (keys.length > namedMax) say(`    and ${keys.length - namedMax} more`)
}

const works: Readonly<Record<string, (directory: string) => Promise<void>>> = {
  export: exportTo,
  import: importFrom,
  compare: compareWith,
}

const end = endProgram('Not done')

const [verb = '', directory, ...more] = process.argv.slice(2)
const work = ownEntry(works, verb)
if (verb === '--help' || verb === '-h') say(usage)
else if (!work || !directory || more.length > 0) {
  process.stderr.write(usage)
  process.exit(2)
} else {
  try {
    await work(resolve(directory))
  } catch (error) {
    end(error)
  }
}
process.exit()
