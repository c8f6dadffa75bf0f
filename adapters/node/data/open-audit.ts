import { openAudit } from '../../../functions/core/audit/open.ts'
import type { AuditBlocks } from '../../../functions/core/ports/audit-blocks.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { KeyStore } from '../../../functions/core/ports/key-store.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { Config } from '../config/config.ts'
import { openKeyRing } from '../keys/key-ring.ts'
import { systemRandom } from '../process/random.ts'
import { fileAnchor, sharedAnchor } from './audit-anchor.ts'

interface Options {
  clock: Clock
  log: Log
  /** Refused attempts that get rows of their own between two flushes. Default: 60. */
  refusalRows?: number | undefined
}

/** Opens the audit log of the installation, with its keys and the place that keeps its end. */
export async function openAuditIn(
  config: Config,
  keys: KeyStore,
  blocks: AuditBlocks,
  { clock, log, refusalRows }: Options,
) {
  const { dataDirectory, auditKey: configured, store } = config
  const auditKeys = await openKeyRing({ keys, name: 'audit-key', configured })
  const file = fileAnchor(dataDirectory, store.table, log)
  const anchor = keys.kind === 'store' ? sharedAnchor(file, keys, log) : file
  const ports = { clock, random: systemRandom, log }
  const audit = openAudit({ blocks, keys: auditKeys, anchor }, ports, refusalRows)
  return { audit, auditKeys, anchor }
}
