import { z } from 'zod'
import { parseKeys } from '../key-text.ts'
import { ConfigError, parsedBy, type ValuesOf } from '../schema.ts'

/** Secrets, and keys that are files in the data directory unless they are set. */
export interface SecretsConfig {
  setupSecret: string | undefined
  secretKey: string | undefined
  /** Where the other keys are: files of the data directory, or items sealed with `secretKey`. */
  keyPlace: 'files' | 'store'
  auditKey: string | undefined
  /** Additional public keys that backups are encrypted for. */
  backupRecipients: string[]
}

/** Returns the list of keys as it is. Throws if one of them is not a key. */
function keysIn(list: string): string {
  parseKeys(list, 'it')
  return list
}

export const secretVariables = {
  SERVICE_SETUP_SECRET: z
    .string()
    .min(16)
    .optional()
    .describe('The secret for the first admin, instead of a random one; at least 16 characters'),
  SERVICE_SECRET_KEY: z
    .string()
    .transform(parsedBy(keysIn))
    .optional()
    .describe(
      'The key of the secrets in the store, 32 bytes in base64 or hex, instead of `<data>/secret-key` and `<data>/secret-keys/`. With several, comma-separated, the first one encrypts',
    ),
  SERVICE_KEYS: z
    .enum(['files', 'store'])
    .default('files')
    .describe(
      '`files`: the keys are files of the data directory. `store`: they are in the store, sealed with `SERVICE_SECRET_KEY`, and all processes share them. There is no way back',
    ),
  SERVICE_AUDIT_KEY: z
    .string()
    .transform(parsedBy(keysIn))
    .optional()
    .describe('The key of the audit rows, instead of `<data>/audit-key`, in the same form'),
  SERVICE_BACKUP_RECIPIENTS: z
    .string()
    .regex(/^\s*(age1[0-9a-z]{58}\s*(,\s*age1[0-9a-z]{58}\s*)*)?$/, 'age1…, comma-separated')
    .default('')
    .describe('More public keys (`age1…`, comma-separated) that can decrypt encrypted backups'),
}

/** @throws ConfigError if the keys would be in the store without a key that seals them */
export function secretsFrom(values: ValuesOf<typeof secretVariables>): SecretsConfig {
  const { SERVICE_SECRET_KEY: secretKey, SERVICE_KEYS: keyPlace } = values
  if (keyPlace === 'store' && secretKey === undefined) {
    throw new ConfigError('SERVICE_KEYS: store requires SERVICE_SECRET_KEY, which seals the keys')
  }
  return {
    setupSecret: values.SERVICE_SETUP_SECRET,
    secretKey,
    keyPlace,
    auditKey: values.SERVICE_AUDIT_KEY,
    backupRecipients: values.SERVICE_BACKUP_RECIPIENTS.split(',').flatMap(
      (one) => one.trim() || [],
    ),
  }
}
