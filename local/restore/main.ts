import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type StoreAddress, storeClient } from '../../adapters/dynamo/client.ts'
import { type Config, ConfigError, readConfig } from '../../adapters/node/config.ts'
import { fillStore, openStore, settle, writeFiles } from '../../adapters/node/restore/apply.ts'
import { type CheckedArchive, checkArchive } from '../../adapters/node/restore/check.ts'
import {
  inspectPlace,
  markBegun,
  markEnded,
  moveAside,
  type RestoredRun,
} from '../../adapters/node/restore/place.ts'
import { serviceLog } from '../../adapters/node/service.ts'
import type { AuditValue } from '../../functions/core/audit/row.ts'
import { Failure } from '../../functions/core/errors.ts'
import { startTrouble } from '../start-trouble.ts'
import { start } from '../store/dynamodb-local.ts'
import { endStaleStore } from '../store/owner.ts'
import { openBackup, type SystemBackup } from './backup.ts'
import { type RestoreWords, readWords, UsageError, usage } from './words.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Restores a lost service. Reads and checks the whole backup before it writes anything. */
async function restore(words: RestoreWords): Promise<void> {
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
    say('The backup is whole. Nothing was changed (--check).')
    return
  }
  const aside = words.force ? await clear(config, run) : undefined
  const place = inspectPlace(config.dataDirectory, run)
  if (place === 'begun') say('A restore of this backup was cut off here: it begins anew.')
  await withStore(config, place, run, (store) => fill(config, store, backup, checked, aside))
}

/** Where a service is restored to. */
interface Target {
  address: StoreAddress
  place: 'empty' | 'begun'
}

/** Writes nothing to the restored service's own log. The output of this program is the report. */
async function fill(
  config: Config,
  { address, place }: Target,
  backup: SystemBackup,
  checked: CheckedArchive,
  aside: string | undefined,
): Promise<void> {
  const { dataDirectory } = config
  const run = { id: backup.manifest.run, sha256: backup.sha256 }
  const client = storeClient(address)
  try {
    await openStore(client, place)
    await markBegun(dataDirectory, run)
    const total = checked.counts.items + checked.counts.logs
    await fillStore(client, backup.archive(), progress(total))
    await writeFiles(config, checked.files)
    const known = knownBefore(config, aside)
    const settled = await settle(config, client, backup, known, serviceLog(config))
    await markEnded(dataDirectory)
    say(`Restored into ${dataDirectory} and the table ${config.store.table}.`)
    if (settled.interrupted > 0) {
      say(`${settled.interrupted} deployments that were going on then are marked as interrupted.`)
    }
    const { ok, rows, problems } = settled.audit
    if (ok) say(`The ${rows} audit rows are whole; the newest says that this was restored.`)
    else say(`WARNING: of ${rows} audit rows ${problems.length} are not as they were written.`)
    say('Start the service now (npm start). Agents connect again by themselves.')
  } finally {
    client.close()
  }
}

function tell({ about, counts, records, missingKeys }: CheckedArchive): void {
  const found = Object.entries(records).map(([name, count]) => `${count} ${name}`)
  say(
    `State of ${about.createdAt}: ${found.join(', ')}; ${counts.logs} blocks of audit rows and logs`,
  )
  if (missingKeys.length === 0) return
  say(
    `WARNING: the backup does not hold the keys ${missingKeys.join(', ')}: what is encrypted with them stays unreadable`,
  )
}

/**
 * `--force`: moves existing data to a separate directory. Throws if a service is running there.
 * Returns that directory, if anything was moved.
 */
async function clear(config: Config, run: RestoredRun): Promise<string | undefined> {
  const { dataDirectory } = config
  await endStaleStore(join(dataDirectory, 'dynamodb'))
  const begun = existsSync(dataDirectory) && isBegun(dataDirectory, run)
  const aside = begun ? undefined : await moveAside(dataDirectory, new Date())
  if (aside) say(`What was in ${dataDirectory} is now in ${aside}`)
  return aside
}

function isBegun(dataDirectory: string, run: RestoredRun): boolean {
  try {
    return inspectPlace(dataDirectory, run) === 'begun'
  } catch {
    return false
  }
}

/** Runs `work` with the configured store, or with DynamoDB Local in the new data directory. */
async function withStore(
  config: Config,
  place: 'empty' | 'begun',
  run: RestoredRun,
  work: (target: Target) => Promise<void>,
): Promise<void> {
  const { endpoint, region, table } = config.store
  if (endpoint) return work({ address: { endpoint, region, table }, place })
  // The store's files are the first to be written. The marker must come before them.
  await markBegun(config.dataDirectory, run)
  const local = await start(join(config.dataDirectory, 'dynamodb'), {
    program: config.store.program,
  })
  try {
    const { credentials } = local
    await work({
      address: { endpoint: local.endpoint, region: local.region, table, credentials },
      place,
    })
  } finally {
    await local.stop()
  }
}

/**
 * Returns the newest audit row that the service in the moved directory knew. Rows after the backup
 * are lost.
 */
function knownBefore(config: Config, aside: string | undefined): Record<string, AuditValue> {
  if (!aside) return {}
  const name = readdirSync(aside).find((one) => one === `audit-head.${config.store.table}`)
  if (!name) return {}
  const { head } = JSON.parse(readFileSync(join(aside, name), 'utf8')) as { head: { seq: number } }
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
  const words = readWords(process.argv.slice(2))
  if (words === 'help') say(usage)
  else await restore(words)
  process.exit(0)
} catch (error) {
  end(error)
}
