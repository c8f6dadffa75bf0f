import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resetPassword } from '../../../functions/core/access/reset-password.ts'
import { serviceRow } from '../../../functions/core/audit/row.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { Account } from '../../../functions/core/records/account.ts'
import { installationRecord } from '../../store/installation.ts'
import type { Store } from '../../store/store.ts'
import { storedPorts } from '../../store/stores.ts'
import type { Config } from '../config/config.ts'
import { judgeKeys } from '../data/judge-keys.ts'
import { openKeyStore } from '../data/key-place.ts'
import { linesOf } from '../data/lost-keys.ts'
import { openAuditIn } from '../data/open-audit.ts'
import { localHost } from '../hosts/local-host.ts'
import { openKeyRing } from '../keys/key-ring.ts'
import { argonPasswords } from '../keys/passwords.ts'
import { systemClock } from '../process/clock.ts'
import { systemRandom } from '../process/random.ts'
import { StartError } from '../process/start-error.ts'
import { openConfiguredStore, storeDirectory } from '../start/configured-store.ts'
import { checkFormat } from '../upgrade/open-store.ts'

/** The account that gets a new password. */
export interface Request {
  username: string
  removesSecondFactor: boolean
}

/**
 * Gives an account of the installation that the configuration names a random password, and records
 * that in the audit log. Returns both.
 *
 * @throws StartError if the configuration names no installation; 404 or 409 as `resetPassword`
 */
export async function resetIn(
  config: Config,
  request: Request,
  log: Log,
): Promise<{ account: Account; password: string }> {
  const directory = storeDirectory(config)
  // A new and empty store would be created there.
  if (directory !== undefined && !existsSync(directory)) {
    throw new StartError(`there is no store in ${directory}: ${asTheService}`)
  }
  const { store, stop } = await openConfiguredStore(config)
  try {
    return await resetInStore(config, store, request, log)
  } finally {
    await stop()
  }
}

const asTheService = 'set SERVICE_DATA_DIR and SERVICE_STORE as for the service'

async function resetInStore(config: Config, store: Store, request: Request, log: Log) {
  await store.ensure()
  await checkFormat(store)
  const record = installationRecord(store.items)
  if (!(await record.isSetUp())) {
    throw new StartError(`${store.place} has no accounts yet: ${asTheService}`)
  }
  const lost = await judgeKeys(config, store)
  if (lost.length > 0) throw new StartError(linesOf(config.dataDirectory, lost))
  const keyStore = await openKeyStore(config, store, record, log)
  const configured = config.secretKey
  const keys = await openKeyRing({ keys: keyStore, name: 'secret-key', configured })
  const options = { clock: systemClock, local: localHost(config), pinned: config.pinned, keys }
  const { auditBlocks, ...stored } = storedPorts(store, options)
  const ports = { ...stored, clock: systemClock, random: systemRandom }
  const { audit } = await openAuditIn(config, keyStore, auditBlocks, { clock: systemClock, log })
  const password = randomBytes(15).toString('base64url')
  const passwordHash = await argonPasswords().hash(password)
  const account = await resetPassword({ ...request, passwordHash }, ports)
  await audit.append(rowOf(account, request))
  await audit.flush()
  return { account, password }
}

const rowOf = (account: Account, { removesSecondFactor }: Request) =>
  serviceRow({
    id: systemRandom.id(),
    at: systemClock.now(),
    action: 'system.reset-password',
    outcome: 'succeeded',
    subject: { kind: 'user', id: account.id },
    values: { username: account.username, second_factor_removed: removesSecondFactor },
  })
