import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openAudit } from '../../../functions/core/audit/open.ts'
import { type AuditValue, serviceRow } from '../../../functions/core/audit/row.ts'
import type { AuditVerdict } from '../../../functions/core/audit/verdict.ts'
import { readSystemArchive } from '../../../functions/core/backups/read-system.ts'
import { type CompletedRun, settleRestored } from '../../../functions/core/backups/settle.ts'
import type { SystemFile } from '../../../functions/core/backups/system-parts.ts'
import { conflict } from '../../../functions/core/errors.ts'
import type { Log } from '../../../functions/core/runtime.ts'
import type { StoreClient } from '../../dynamo/client.ts'
import { ensureTable } from '../../dynamo/create-table.ts'
import { importItems, isStoreEmpty } from '../../dynamo/import.ts'
import { dynamoStores } from '../../dynamo/stores.ts'
import { fileAnchor } from '../audit-anchor.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { openKeyRing } from '../key-ring.ts'
import { localHost } from '../local-host.ts'
import { writePrivate } from '../private-file.ts'
import { systemRandom } from '../random.ts'

/**
 * Creates the tables if they do not exist. Never empties a table.
 *
 * @throws 409 if they are not empty, unless the same backup was being restored into them (`begun`)
 */
export async function openStore(client: StoreClient, place: 'empty' | 'begun'): Promise<void> {
  await ensureTable(client)
  if (place === 'begun' || (await isStoreEmpty(client))) return
  throw conflict(
    `the table ${client.table} (or ${client.table}-logs) holds something already: name another with SERVICE_DYNAMODB_TABLE`,
  )
}

/** Writes every item of an archive to the store. Calls `told` with the number of items so far. */
export async function fillStore(
  client: StoreClient,
  chunks: AsyncIterable<Uint8Array>,
  told: (items: number) => void,
): Promise<void> {
  let items = 0
  for await (const part of readSystemArchive(chunks)) {
    if (part.kind !== 'items') continue
    await patiently(() => importItems(client, part))
    items += part.count
    told(items)
  }
}

/**
 * Retries the call: a store with much to write can be slow at times, and writing an item twice does
 * no harm.
 */
async function patiently(put: () => Promise<void>, tries = 5): Promise<void> {
  for (let left = tries; ; left -= 1) {
    try {
      return await put()
    } catch (error) {
      if (left <= 1) throw error
      await delay(1000)
    }
  }
}

/**
 * Writes the files of an archive into the data directory, each atomically and private. An existing
 * `config.yaml` stays; the one in the archive gets another name.
 */
export async function writeFiles(
  { dataDirectory, store }: Config,
  files: readonly SystemFile[],
): Promise<void> {
  for (const { path, mode, content } of files) {
    const target = join(dataDirectory, nameOf(path, dataDirectory, store.table))
    await writePrivate(target, content, mode === 0o400 ? 0o400 : 0o600)
  }
}

function nameOf(path: string, dataDirectory: string, table: string): string {
  if (path === 'audit-head') return `audit-head.${table}`
  const isTaken = path === 'config.yaml' && existsSync(join(dataDirectory, path))
  return isTaken ? 'config.yaml.from-backup' : path
}

/** The result of a restore. */
export interface Settled {
  /** Deployments that were running when the backup was made. */
  interrupted: number
  audit: AuditVerdict
}

/**
 * Ends what was running when the backup was made. Adds an audit row that the service was restored,
 * with the backup and the newest audit row that it has: this permanently records that later rows
 * are gone.
 */
export async function settle(
  config: Config,
  client: StoreClient,
  from: CompletedRun,
  values: Record<string, AuditValue>,
  log: Log,
): Promise<Settled> {
  const { dataDirectory, pinned, secretKey, auditKey } = config
  const clock = systemClock
  const keys = await openKeyRing({ dataDirectory, name: 'secret-key', configured: secretKey })
  const options = { clock, local: localHost(config), pinned, keys }
  const { auditBlocks: blocks, ...stores } = dynamoStores(client, options)
  const interrupted = await settleRestored(from, { ...stores, clock })
  const auditKeys = await openKeyRing({ dataDirectory, name: 'audit-key', configured: auditKey })
  const anchor = fileAnchor(dataDirectory, config.store.table, log)
  const audit = openAudit({ blocks, keys: auditKeys, anchor }, { clock, random: systemRandom, log })
  const { end } = await audit.after(undefined)
  await audit.append(
    serviceRow({
      id: systemRandom.id(),
      at: clock.now(),
      action: 'system.restore',
      outcome: 'succeeded',
      subject: { kind: 'system', id: from.manifest.run },
      values: { run_id: from.manifest.run, sha256: from.sha256, newest_row: end, ...values },
    }),
  )
  await audit.flush()
  return { interrupted, audit: await audit.verify() }
}
