import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isWhole } from '../../../functions/core/backups/run.ts'
import type { KeyRing } from '../../../functions/core/keys.ts'
import { dynamoBackupJobs } from '../../dynamo/backup-jobs.ts'
import { dynamoBackupRuns } from '../../dynamo/backup-runs.ts'
import { logsOf, type StoreClient } from '../../dynamo/client.ts'
import { dynamoHosts } from '../../dynamo/hosts.ts'
import { keyEvidence } from '../../dynamo/key-evidence.ts'
import { table } from '../../dynamo/table.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { readKeyRing } from '../key-ring.ts'
import { localHost } from '../local-host.ts'
import { findLostKeys, type KeysHere, type LostKey } from './lost-keys.ts'

/** Runs that are checked for an encrypted backup. */
const runsMax = 20

/**
 * Returns the keys that the store needs but neither the data directory nor the configuration has.
 * Changes nothing. Call it before any of the files is created. If all files exist, it reads three
 * items of the store.
 */
export async function judgeKeys(config: Config, client: StoreClient): Promise<LostKey[]> {
  const { dataDirectory, secretKey, auditKey } = config
  const isHere = (name: string) => existsSync(join(dataDirectory, name))
  const secrets = readKeyRing({ dataDirectory, name: 'secret-key', configured: secretKey })
  const audit = readKeyRing({ dataDirectory, name: 'audit-key', configured: auditKey })
  const here: KeysHere = {
    secretKeys: idsOf(secrets),
    auditKeys: idsOf(audit),
    hasSigningKeys: isHere('signing-keys.json'),
    hasAuthority: isHere('agent-authority.pem'),
    hasIdentity: isHere('backup-identity.txt'),
  }
  const [items, logs] = [table(client), table(logsOf(client))]
  const evidence = keyEvidence(items, logs)
  const [settled, auditKeys] = await Promise.all([evidence.settledOn(), evidence.auditKeys()])
  // All values were under this key, so others are not needed or were given up.
  const isSettled = settled !== undefined && settled === secrets?.current
  const hosts = dynamoHosts(items, systemClock, localHost(config))
  return findLostKeys(here, {
    secretKeys: isSettled ? [] : await evidence.secretKeys(),
    auditKeys,
    hasEnrolledAgents:
      !here.hasAuthority && (await hosts.list()).some(({ agent }) => agent?.state === 'enrolled'),
    hasEncryptedBackups:
      !here.hasIdentity && secrets !== undefined && (await hasEncrypted(client, secrets)),
  })
}

const idsOf = (ring: KeyRing | undefined) => Object.keys(ring?.keys ?? {})

/**
 * Returns whether there are encrypted backups. Jobs and runs whose own key is lost are skipped:
 * that key is reported instead.
 */
async function hasEncrypted(client: StoreClient, keys: KeyRing): Promise<boolean> {
  const items = table(client)
  const [runs, jobs] = await Promise.all([
    dynamoBackupRuns(items, systemClock, keys)
      .list({ limit: runsMax })
      .catch(() => []),
    dynamoBackupJobs(items, systemClock, keys)
      .list()
      .catch(() => []),
  ])
  return (
    runs.some((run) => run.encrypted && isWhole(run)) ||
    jobs.some(({ encrypt, lastRun }) => encrypt && lastRun?.status === 'succeeded')
  )
}
