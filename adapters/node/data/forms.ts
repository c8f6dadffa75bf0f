import { createPrivateKey, X509Certificate } from 'node:crypto'
import { identitiesIn } from '../../blobs/age.ts'
import { keyIdIn } from '../config/key-text.ts'
import { readSigningKeys } from '../keys/signing-keys.ts'
import { readAnchored } from './audit-anchor.ts'
import { parseInstallation } from './decide-installation.ts'
import { acceptFlag } from './lost-keys.ts'

/** A kind of file that the service stores in its data directory. */
export interface DataFile {
  /** Its path in the data directory, with slashes. */
  path: RegExp
  /**
   * Checks a text. `name` is the last part of the path.
   *
   * @throws Error if the content is malformed
   */
  check(text: string, name: string): void
  mayBeEmpty?: boolean
  /** How to repair a damaged file. */
  remedy: string
}

const fromBackup = 'Put the copy from your last system backup in its place'

/** Every file that the service writes and reads there. Other files are ignored. */
export const dataFiles: readonly DataFile[] = [
  {
    path: /^installation$/,
    check: (text) => void parseInstallation(text),
    remedy: `${fromBackup}, or delete it: it is created again from the store`,
  },
  {
    path: /^(secret|audit)-key$/,
    check: (text, name) => void keyIdIn(text, name),
    remedy: `${fromBackup}: what it encrypted or signed cannot be read without it`,
  },
  {
    path: /^(secret|audit)-keys\/\d{15}-[0-9a-f]{16}$/,
    check(text, name) {
      if (keyIdIn(text, name) !== name.slice(16))
        throw new Error('it holds a different key than its name says')
    },
    remedy: `${fromBackup}: what it encrypted or signed cannot be read without it`,
  },
  {
    path: /^signing-keys\.json$/,
    check: (text) => void readSigningKeys(text),
    remedy: 'Delete it: a new one is created, and everyone has to sign in again',
  },
  {
    path: /^internal-secret$/,
    check(text) {
      if (text.trim().length < 32) throw new Error('it holds fewer than 32 characters')
    },
    remedy: 'Delete it everywhere and restart all processes: a new one is created',
  },
  {
    path: /^setup-secret$/,
    check(text) {
      if (text.trim().length < 16) throw new Error('it holds fewer than 16 characters')
    },
    remedy: 'Delete it: a new one is created and printed',
  },
  {
    path: /^agent-authority\.pem$/,
    check: checkAuthority,
    remedy: `${fromBackup}, or delete it, start once with ${acceptFlag} and enrol every agent again`,
  },
  {
    path: /^backup-identity\.txt$/,
    check: checkIdentity,
    remedy:
      'Put your copy in its place: encrypted backups cannot be read without it. If there are none, delete it: a new one is created',
  },
  {
    path: /^audit-head\.[A-Za-z0-9_.-]{3,250}$/,
    check: (text) => void readAnchored(text),
    remedy:
      'Put a copy in its place, or delete it: audit rows already removed from the end are then not detected',
  },
  {
    path: /^restoring\.json$/,
    check(text) {
      const run = JSON.parse(text)
      if (typeof run?.id !== 'string' || typeof run.sha256 !== 'string')
        throw new Error('it does not name a backup')
    },
    remedy: 'Run the restore again with --force',
  },
  {
    // It only says how the last upgrade went: a damaged one must not stop the service.
    path: /^upgrade\.json$/,
    check() {},
    mayBeEmpty: true,
    remedy: 'Delete it: it only says how the last upgrade of the service went',
  },
  // The configuration is read and validated before this check.
  {
    path: /^config\.yaml$/,
    check() {},
    mayBeEmpty: true,
    remedy: 'Put the file there, or remove it',
  },
  {
    path: /^dynamodb\/access-key$/,
    check(text) {
      if (!/^[A-Za-z0-9]{8,}\s*$/.test(text)) throw new Error('it holds no access key')
    },
    remedy:
      'Create it with the part before the last _ of the name of the largest .db file beside it: without it the store looks empty',
  },
]

function checkAuthority(text: string): void {
  const [key, certificate] = ['PRIVATE KEY', 'CERTIFICATE'].map(
    (label) => new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----`).exec(text)?.[0],
  )
  if (!key || !certificate) throw new Error('it holds no key and certificate')
  const belongs = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
  if (!belongs) throw new Error('its key and its certificate do not belong together')
}

function checkIdentity(text: string): void {
  const identities = identitiesIn(text)
  if (identities.length === 0) throw new Error('it holds no identity (AGE-SECRET-KEY-1…)')
  const form = /^AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}$/
  if (!identities.every((one) => form.test(one)))
    throw new Error('it holds a line that is not an identity')
}
