/** The keys that this process can read, by ID; the current one first. */
export interface AvailableKeys {
  secretKeys: readonly string[]
  auditKeys: readonly string[]
  hasSigningKeys: boolean
  hasAuthority: boolean
  hasIdentity: boolean
  hasInternalSecret: boolean
}

/** The keys that the contents of the store need. */
export interface RequiredKeys {
  /** Ids of the keys that stored values are encrypted with. */
  secretKeys: readonly string[]
  /** Ids of the keys of the newest and the oldest audit rows. */
  auditKeys: { newest: string | undefined; oldest: string | undefined }
  hasEnrolledAgents: boolean
  hasEncryptedBackups: boolean
}

/** A missing file and its consequences. */
export interface LostKey {
  /** Its name as a file in the data directory: a copy put there is used. */
  file: string
  why: string
  /** What to do about it. Without a remedy the service starts and creates the file again. */
  remedy?: string
}

/** The command-line flag that lets the service start without the keys. */
export const acceptFlag = '--accept-lost-keys'

/**
 * Returns the files that an installation has lost. Those with a `remedy` must not be created again
 * silently: contents of the store would stay unreadable, unverifiable or unreachable. If nothing
 * needs a file, a new one does no harm.
 */
export function findLostKeys(here: AvailableKeys, needed: RequiredKeys): LostKey[] {
  return [
    ...lostSecretKeys(here, needed),
    ...lostAuditKeys(here, needed),
    ...lost(!here.hasAuthority && needed.hasEnrolledAgents, {
      file: 'agent-authority.pem',
      why: 'it is missing, and agents are enrolled with it',
      remedy: remedyOr('enrol every agent again'),
    }),
    ...lost(!here.hasIdentity && needed.hasEncryptedBackups, {
      file: 'backup-identity.txt',
      why: 'it is missing, and encrypted backups were made for it',
      remedy: 'Put your copy in its place. ' + withoutCopy('those backups cannot be restored'),
    }),
    ...lost(!here.hasIdentity && !needed.hasEncryptedBackups, {
      file: 'backup-identity.txt',
      why: `${recreated}: no encrypted backup was found that needs it`,
    }),
    ...lost(!here.hasSigningKeys, {
      file: 'signing-keys.json',
      why: `${recreated}: access tokens issued before are no longer valid`,
    }),
    ...lost(!here.hasInternalSecret, {
      file: 'internal-secret',
      why: `${recreated}: restart the other processes, or they cannot reach each other's agents`,
    }),
  ]
}

function lostSecretKeys(
  { secretKeys: here }: AvailableKeys,
  { secretKeys }: RequiredKeys,
): LostKey[] {
  const missing = secretKeys.filter((id) => !here.includes(id))
  return lost(missing.length > 0, {
    file: 'secret-key',
    why: `values in the store are encrypted with ${named(missing)}, which neither secret-key, secret-keys/ nor SERVICE_SECRET_KEY holds`,
    remedy: remedyOr('those values stay unreadable'),
  })
}

function lostAuditKeys({ auditKeys: here }: AvailableKeys, { auditKeys }: RequiredKeys): LostKey[] {
  const { newest, oldest } = auditKeys
  const file = 'audit-key'
  if (newest !== undefined && !here.includes(newest)) {
    const why = `audit rows are signed with ${named([newest])}, which neither audit-key, audit-keys/ nor SERVICE_AUDIT_KEY holds`
    return [{ file, why, remedy: remedyOr('those rows cannot be verified') }]
  }
  const isOldGone = oldest !== undefined && !here.includes(oldest)
  const why = 'older audit rows are signed with a missing key: they cannot be verified'
  return lost(isOldGone, { file, why })
}

/** Returns a line for each key, with the file and the remedy. */
export const linesOf = (dataDirectory: string, keys: readonly LostKey[]): string =>
  keys.map(({ file, why, remedy }) => `${dataDirectory}/${file}: ${why}. ${remedy}`).join('\n')

const lost = (isLost: boolean, key: LostKey): LostKey[] => (isLost ? [key] : [])

const named = (ids: readonly string[]) => `key${ids.length > 1 ? 's' : ''} ${ids.join(', ')}`

const recreated = 'it was missing and is created again'

const remedyOr = (loss: string) =>
  `Put the copy from your last system backup or from another process in its place. ${withoutCopy(loss)}`

const withoutCopy = (loss: string) => `If there is none, start once with ${acceptFlag}: ${loss}`
