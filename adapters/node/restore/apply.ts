import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { serviceRow } from '../../../functions/core/audit/row.ts'
import {
  type CompletedRun,
  endRestoredWork,
} from '../../../functions/core/backups/system/end-restored-work.ts'
import { readSystemArchive } from '../../../functions/core/backups/system/read-system.ts'
import type { SystemFile } from '../../../functions/core/backups/system/system-parts.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { AuditVerdict } from '../../../functions/core/records/audit-chain.ts'
import type { AuditValue } from '../../../functions/core/records/audit-row.ts'
import { importItems } from '../../store/import.ts'
import { installationRecord } from '../../store/installation.ts'
import { removeSealedKeys } from '../../store/sealed-keys.ts'
import type { StoreTables } from '../../store/store.ts'
import { storedPorts } from '../../store/stores.ts'
import type { Config } from '../config/config.ts'
import { openAuditIn } from '../data/open-audit.ts'
import { localHost } from '../hosts/local-host.ts'
import { keyFiles } from '../keys/key-files.ts'
import { openKeyRing } from '../keys/key-ring.ts'
import { writePrivate } from '../keys/private-file.ts'
import { systemClock } from '../process/clock.ts'
import { systemRandom } from '../process/random.ts'

/** Writes every item of an archive to the store. Calls `told` with the number of items so far. */
export async function fillStore(
  store: StoreTables,
  chunks: AsyncIterable<Uint8Array>,
  told: (items: number) => void,
): Promise<void> {
  let items = 0
  for await (const part of readSystemArchive(chunks)) {
    if (part.kind !== 'items') continue
    await withRetries(() => importItems(store, part))
    items += part.count
    told(items)
  }
  // The archive has the keys as files. The next start with SERVICE_KEYS=store copies them again.
  await removeSealedKeys(store.items)
  await installationRecord(store.items).unsealKeys()
}

/**
 * Retries the call: a store with much to write can be slow at times, and writing an item twice does
 * no harm.
 */
async function withRetries(put: () => Promise<void>, tries = 5): Promise<void> {
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
export interface RestoreSummary {
  /** Deployments that were running when the backup was made. */
  interrupted: number
  audit: AuditVerdict
}

/**
 * Ends what was running when the backup was made. Adds an audit row that the service was restored,
 * with the backup and the newest audit row that it has: this permanently records that later rows
 * are gone.
 */
export async function finishRestore(
  config: Config,
  store: StoreTables,
  from: CompletedRun,
  values: Record<string, AuditValue>,
  log: Log,
): Promise<RestoreSummary> {
  const { dataDirectory, pinned, secretKey } = config
  const clock = systemClock
  const files = keyFiles(dataDirectory)
  const keys = await openKeyRing({ keys: files, name: 'secret-key', configured: secretKey })
  const options = { clock, local: localHost(config), pinned, keys }
  const { auditBlocks, ...stores } = storedPorts(store, options)
  const interrupted = await endRestoredWork(from, { ...stores, clock })
  const { audit } = await openAuditIn(config, files, auditBlocks, { clock, log })
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
