import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isWhole } from '../../../functions/core/records/backup-run.ts'
import type { KeyRing } from '../../../functions/core/records/keys.ts'
import { storedBackupJobs } from '../../store/backup-jobs.ts'
import { storedBackupRuns } from '../../store/backup-runs.ts'
import { storedHosts } from '../../store/hosts.ts'
import { keyEvidence } from '../../store/key-evidence.ts'
import { ifUnreadable } from '../../store/sealed.ts'
import type { StoreTables } from '../../store/store.ts'
import type { Table } from '../../store/table.ts'
import type { Config } from '../config/config.ts'
import { localHost } from '../hosts/local-host.ts'
import { keyFiles } from '../keys/key-files.ts'
import { readKeyRing } from '../keys/key-ring.ts'
import { systemClock } from '../process/clock.ts'
import { type AvailableKeys, findLostKeys, type LostKey } from './lost-keys.ts'

/** Runs that are checked for an encrypted backup. */
const runsMax = 20

/**
 * Returns the keys that the store needs but neither the data directory nor the configuration has.
 * Changes nothing. Call it before any of the files is created. If all files exist, it reads three
 * items of the store.
 */
export async function judgeKeys(config: Config, { items, logs }: StoreTables): Promise<LostKey[]> {
  const { dataDirectory, secretKey, auditKey } = config
  const keys = keyFiles(dataDirectory)
  const isHere = (name: string) => existsSync(join(dataDirectory, name))
  const secrets = await readKeyRing({ keys, name: 'secret-key', configured: secretKey })
  const audit = await readKeyRing({ keys, name: 'audit-key', configured: auditKey })
  const here: AvailableKeys = {
    secretKeys: idsOf(secrets),
    auditKeys: idsOf(audit),
    hasSigningKeys: isHere('signing-keys.json'),
    hasAuthority: isHere('agent-authority.pem'),
    hasIdentity: isHere('backup-identity.txt'),
  }
  const evidence = keyEvidence(items, logs)
  const [settled, auditKeys] = await Promise.all([evidence.settledOn(), evidence.auditKeys()])
  // All values were under this key, so others are not needed or were given up.
  const isSettled = settled !== undefined && settled === secrets?.current
  const hosts = storedHosts(items, systemClock, localHost(config))
  return findLostKeys(here, {
    secretKeys: isSettled ? [] : await evidence.secretKeys(),
    auditKeys,
    hasEnrolledAgents:
      !here.hasAuthority && (await hosts.list()).some(({ agent }) => agent?.state === 'enrolled'),
    hasEncryptedBackups:
      !here.hasIdentity && secrets !== undefined && (await hasEncrypted(items, secrets)),
  })
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
