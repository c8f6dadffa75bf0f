import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditValue } from '../../../functions/core/records/audit-row.ts'
import type { Store } from '../../store/store.ts'
import { type Config, readConfig } from '../config/config.ts'
import {
  inspectPlace,
  markComplete,
  markStarted,
  moveAside,
  type RestoredRun,
} from '../data/restore-place.ts'
import { openConfiguredStore, refuseIfInUse, storeDirectory } from '../start/configured-store.ts'
import { serviceLog } from '../start/service.ts'
import { endStaleStore } from '../store-supervisor/owner.ts'
import { openStore } from '../transfer/open-store.ts'
import { fillStore, finishRestore, writeFiles } from './apply.ts'
import type { RestoreArguments } from './arguments.ts'
import { openBackup, type SystemBackup } from './backup.ts'
import { type CheckedArchive, checkArchive } from './check.ts'
import { progress, type Say, sayContents, saySummary } from './report.ts'

/** Restores a lost service. Reads and checks the whole backup before it writes anything. */
export async function restore(words: RestoreArguments, say: Say): Promise<void> {
  const backup = await openBackup(words.from, words.identity)
  const { manifest, sha256 } = backup
  say(`The backup ${manifest.run} of ${manifest.finished_at} (job ${manifest.job.name})`)
  const checked = await checkArchive(backup.archive())
  sayContents(checked, say)
  const ownText = checked.files.find(({ path }) => path === 'config.yaml')?.content
  const env = words.data ? { ...process.env, SERVICE_DATA_DIR: words.data } : process.env
  const config = readConfig(env, ownText && String(ownText))
  const run = { id: manifest.run, sha256 }
  if (words.check) {
    say('The backup is complete. Nothing was changed (--check).')
    return
  }
  const aside = words.force ? await clear(config, run, say) : undefined
  const place = inspectPlace(config.dataDirectory, run)
  if (place === 'begun') say('A restore of this backup was interrupted here. It starts over.')
  await withStore(config, place, run, (target) =>
    fill(config, target, { backup, checked, aside }, say),
  )
}

/** The destination of a restored service. */
interface Target {
  store: Store
  place: 'empty' | 'begun'
}

/** What is restored, and the directory that has the data from before, if it was moved. */
interface Source {
  backup: SystemBackup
  checked: CheckedArchive
  aside: string | undefined
}

/** Writes nothing to the restored service's own log. The output of this program is the report. */
async function fill(
  config: Config,
  { store, place }: Target,
  { backup, checked, aside }: Source,
  say: Say,
): Promise<void> {
  const { dataDirectory } = config
  const run = { id: backup.manifest.run, sha256: backup.sha256 }
  await openStore(store, place)
  // A store elsewhere is only marked once `openStore` has accepted it.
  await markStarted(dataDirectory, run)
  const total = checked.counts.items + checked.counts.logs
  await fillStore(store, backup.archive(), progress(total, say))
  await writeFiles(config, checked.files)
  const known = knownBefore(config, aside)
  const summary = await finishRestore(config, store, backup, known, serviceLog(config))
  await markComplete(dataDirectory)
  say(`Restored into ${dataDirectory} and ${store.place}.`)
  saySummary(summary, say)
}

/**
 * `--force`: moves existing data to a separate directory. Throws if a service is running there.
 * Returns that directory, if anything was moved.
 */
async function clear(config: Config, run: RestoredRun, say: Say): Promise<string | undefined> {
  const { dataDirectory } = config
  await endStaleStore(join(dataDirectory, 'dynamodb'))
  refuseIfInUse(config)
  const begun = existsSync(dataDirectory) && isBegun(dataDirectory, run)
  const aside = begun ? undefined : await moveAside(dataDirectory, new Date())
  if (aside) say(`The previous contents of ${dataDirectory} are now in ${aside}`)
  return aside
}

function isBegun(dataDirectory: string, run: RestoredRun): boolean {
  try {
    return inspectPlace(dataDirectory, run) === 'begun'
  } catch {
    return false
  }
}

/** Runs `work` with the configured store. Its files may be in the new data directory. */
async function withStore(
  config: Config,
  place: 'empty' | 'begun',
  run: RestoredRun,
  work: (target: Target) => Promise<void>,
): Promise<void> {
  // The store's own files are the first to be written. The marker must come before them.
  if (storeDirectory(config)) await markStarted(config.dataDirectory, run)
  const { store, stop } = await openConfiguredStore(config)
  try {
    await work({ store, place })
  } finally {
    await stop()
  }
}

/**
 * Returns the newest audit row that the service in the moved directory knew. Rows after the backup
 * are lost.
 */
function knownBefore(config: Config, aside: string | undefined): Record<string, AuditValue> {
  if (!aside) return {}
  const file = join(aside, `audit-head.${config.store.table}`)
  if (!existsSync(file)) return {}
  const { head } = JSON.parse(readFileSync(file, 'utf8')) as { head: { seq: number } }
  return { newest_row_known: head.seq }
}
