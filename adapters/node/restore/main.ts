import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../../functions/core/errors.ts'
import type { AuditValue } from '../../../functions/core/records/audit-row.ts'
import type { Store } from '../../store/store.ts'
import { type Config, readConfig } from '../config/config.ts'
import { ConfigError } from '../config/schema.ts'
import { openConfiguredStore, refuseIfInUse, storeDirectory } from '../start/configured-store.ts'
import { serviceLog } from '../start/service.ts'
import { startTrouble } from '../start/start-trouble.ts'
import { endStaleStore } from '../store-supervisor/owner.ts'
import { fillStore, openStore, settle, writeFiles } from './apply.ts'
import { parseArguments, type RestoreArguments, UsageError, usage } from './arguments.ts'
import { openBackup, type SystemBackup } from './backup.ts'
import { type CheckedArchive, checkArchive } from './check.ts'
import { restoreCopy } from './copy.ts'
import { inspectPlace, markComplete, markStarted, moveAside, type RestoredRun } from './place.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Restores a lost service. Reads and checks the whole backup before it writes anything. */
async function restore(words: RestoreArguments): Promise<void> {
  const backup = await openBackup(words.from, words.identity)
  const { manifest, sha256 } = backup
  say(`The backup ${manifest.run} of ${manifest.finished_at} (job ${manifest.job.name})`)
  const checked = await checkArchive(backup.archive())
  tell(checked)
  const ownText = checked.files.find(({ path }) => path === 'config.yaml')?.content
  const env = words.data ? { ...process.env, SERVICE_DATA_DIR: words.data } : process.env
  const config = readConfig(env, ownText && String(ownText))
  const run = { id: manifest.run, sha256 }
  if (words.check) {
    say('The backup is complete. Nothing was changed (--check).')
    return
  }
  const aside = words.force ? await clear(config, run) : undefined
  const place = inspectPlace(config.dataDirectory, run)
  if (place === 'begun') say('A restore of this backup was interrupted here. It starts over.')
  await withStore(config, place, run, (store) => fill(config, store, backup, checked, aside))
}

/** The destination of a restored service. */
interface Target {
  store: Store
  place: 'empty' | 'begun'
}

/** Writes nothing to the restored service's own log. The output of this program is the report. */
async function fill(
  config: Config,
  { store, place }: Target,
  backup: SystemBackup,
  checked: CheckedArchive,
  aside: string | undefined,
): Promise<void> {
  const { dataDirectory } = config
  const run = { id: backup.manifest.run, sha256: backup.sha256 }
  await openStore(store, place)
  // A store elsewhere is only marked once `openStore` has accepted it.
  await markStarted(dataDirectory, run)
  const total = checked.counts.items + checked.counts.logs
  await fillStore(store, backup.archive(), progress(total))
  await writeFiles(config, checked.files)
  const known = knownBefore(config, aside)
  const settled = await settle(config, store, backup, known, serviceLog(config))
  await markComplete(dataDirectory)
  say(`Restored into ${dataDirectory} and ${store.place}.`)
  if (settled.interrupted > 0) {
    say(
      `${settled.interrupted} deployments that were running at that time are marked as interrupted.`,
    )
  }
  const { ok, rows, problems } = settled.audit
  if (ok) say(`The ${rows} audit rows are intact; the newest one records this restore.`)
  else say(`WARNING: ${problems.length} of ${rows} audit rows are missing or were modified.`)
  say('Start the service now (npm start). Agents reconnect on their own.')
}

function tell({ about, counts, records, missingKeys }: CheckedArchive): void {
  const found = Object.entries(records).map(([name, count]) => `${count} ${name}`)
  say(
    `State of ${about.createdAt}: ${found.join(', ')}; ${counts.logs} blocks of audit rows and logs`,
  )
  if (missingKeys.length === 0) return
  say(
    `WARNING: the backup does not contain the keys ${missingKeys.join(', ')}: values encrypted with them stay unreadable`,
  )
}

/**
 * `--force`: moves existing data to a separate directory. Throws if a service is running there.
 * Returns that directory, if anything was moved.
 */
async function clear(config: Config, run: RestoredRun): Promise<string | undefined> {
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

/** Returns a function that prints the progress every 5000 items. */
function progress(total: number): (items: number) => void {
  let said = 0
  return (items) => {
    if (items < total && items - said < 5000) return
    said = items
    say(`${items} of ${total} items`)
  }
}

function trouble(error: unknown): { text: string; code: number } {
  if (error instanceof UsageError) return { text: `${error.message}\n\n${usage}`, code: 2 }
  if (error instanceof ConfigError) return { text: error.message, code: 2 }
  const text = error instanceof Failure ? error.message : startTrouble(error)
  return { text: `Not restored: ${text}`, code: 1 }
}

function end(error: unknown): never {
  const { text, code } = trouble(error)
  process.stderr.write(`${text}\n`)
  process.exit(code)
}

// Without these handlers a restore could continue after an unhandled error and report a
// half-restored service as complete.
process.on('unhandledRejection', end)
process.on('uncaughtException', end)

try {
  const words = parseArguments(process.argv.slice(2))
  if (words === 'help') say(usage)
  else if ('copy' in words) await restoreCopy(words, say)
  else await restore(words)
  process.exit(0)
} catch (error) {
  end(error)
}
