import type { KeyStore } from '../../../functions/core/ports/key-store.ts'
import { isWhole } from '../../../functions/core/records/backup-run.ts'
import type { KeyRing } from '../../../functions/core/records/keys.ts'
import { storedBackupJobs } from '../../store/backup-jobs.ts'
import { storedBackupRuns } from '../../store/backup-runs.ts'
import { storedHosts } from '../../store/hosts.ts'
import { installationRecord } from '../../store/installation.ts'
import { keyEvidence } from '../../store/key-evidence.ts'
import { ifUnreadable } from '../../store/sealed.ts'
import type { Store } from '../../store/store.ts'
import type { Table } from '../../store/table.ts'
import type { Config } from '../config/config.ts'
import { localHost } from '../hosts/local-host.ts'
import { hasAuthority } from '../keys/authority.ts'
import { type KeyPlace, readKeyRing } from '../keys/key-ring.ts'
import { certificateName } from '../keys/shared-authority.ts'
import { systemClock } from '../process/clock.ts'
import { keyStores } from './key-place.ts'
import { type AvailableKeys, findLostKeys, type LostKey } from './lost-keys.ts'
import { outsideKeys } from './outside-keys.ts'

/** Runs that are checked for an encrypted backup. */
const runsMax = 20

/**
 * Returns the keys that the store needs but neither the data directory, the keys in the store nor
 * the configuration has. Changes nothing. Call it before any of the keys is created. If all keys
 * exist as files, it reads three records of the store.
 */
export async function judgeKeys(
  config: Config,
  store: Pick<Store, 'items' | 'logs' | 'place'>,
): Promise<LostKey[]> {
  const { secretKey, auditKey } = config
  const { items, logs } = store
  const stores = keyStores(config, store)
  const isHere = async (name: string) => {
    const found = await Promise.all(stores.map((keys) => keys.find(name)))
    return found.some((one) => one !== undefined)
  }
  const secrets = await ringIn(stores, { name: 'secret-key', configured: secretKey })
  const audit = await ringIn(stores, { name: 'audit-key', configured: auditKey })
  const here: AvailableKeys = {
    secretKeys: idsOf(secrets),
    auditKeys: idsOf(audit),
    hasSigningKeys: await isHere('signing-keys.json'),
    // A process without agents only has to reach the processes that agents connect to.
    hasAuthority:
      hasAuthority(config) || (config.role === 'api' && (await isCertificateShared(stores))),
    hasIdentity: await isHere('backup-identity.txt'),
    hasInternalSecret:
      config.internal.secret !== undefined ||
      (await isHere('internal-secret')) ||
      !(await isInStore(config, items)),
  }
  const evidence = keyEvidence(items, logs)
  const [onlyKey, auditKeys] = await Promise.all([evidence.onlyKey(), evidence.auditKeys()])
  // All values were under this key, so others are not needed or were given up.
  const needsNoOther = onlyKey !== undefined && onlyKey === secrets?.current
  const hosts = storedHosts(items, systemClock, localHost(config))
  return findLostKeys(here, {
    secretKeys: needsNoOther ? [] : await evidence.secretKeys(),
    auditKeys,
    hasEnrolledAgents:
      !here.hasAuthority && (await hosts.list()).some(({ agent }) => agent?.state === 'enrolled'),
    hasEncryptedBackups:
      !here.hasIdentity && secrets !== undefined && (await hasEncrypted(items, secrets)),
  })
}

/**
 * Returns whether every key was stored there: then one that is missing was deleted. A data
 * directory from a system backup has no secret between processes.
 */
async function isInStore(config: Config, items: Table): Promise<boolean> {
  const seal = await installationRecord(items).keySeal(outsideKeys(config))
  return seal !== undefined && !seal.importing
}

/** A file of that name in a data directory is not the service's. */
async function isCertificateShared([keys]: readonly KeyStore[]): Promise<boolean> {
  return keys?.kind === 'store' && (await keys.find(certificateName)) !== undefined
}

/** Returns the keys of a ring in all places, with the current one of the first place. */
async function ringIn(
  stores: readonly KeyStore[],
  ring: Omit<KeyPlace, 'keys'>,
): Promise<KeyRing | undefined> {
  const rings = await Promise.all(stores.map((keys) => readKeyRing({ keys, ...ring })))
  const [first] = rings.flatMap((one) => one ?? [])
  return (
    first && { current: first.current, keys: Object.assign({}, ...rings.map((one) => one?.keys)) }
  )
}

const idsOf = (ring: KeyRing | undefined) => Object.keys(ring?.keys ?? {})

/**
 * Returns whether there are encrypted backups. Jobs and runs whose own key is lost are skipped:
 * that key is reported instead.
 */
async function hasEncrypted(items: Table, keys: KeyRing): Promise<boolean> {
  const [runs, jobs] = await Promise.all([
    storedBackupRuns(items, systemClock, keys).list({ limit: runsMax }).catch(ifUnreadable([])),
    storedBackupJobs(items, systemClock, keys).list().catch(ifUnreadable([])),
  ])
  return (
    runs.some((run) => run.encrypted && isWhole(run)) ||
    jobs.some(({ encrypt, lastRun }) => encrypt && lastRun?.status === 'succeeded')
  )
}
