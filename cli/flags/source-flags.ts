import { wrongUsage } from '../failure.ts'
import type { Io } from '../io.ts'
import { durationOf } from './duration.ts'
import { readNamed } from './named-file.ts'
import { userFlags } from './user-flags.ts'

/** The flags of what can be changed of a source. */
export const sourceFlags = {
  '--every <duration>':
    'From one look to the next, 60s to 30d; 5m for a new source; `off`: only when you ask',
  ...userFlags(
    'The account that reads a registry or git over https; a registry has a stored one by default',
  ),
  '--ca <file>': 'Certificates in PEM to trust instead of those of the system; git over https',
  '--host-key <fingerprint>':
    'The server’s key, SHA256:…, as the first look shows it; git over ssh',
  '--private-key <file>':
    'A key without a passphrase; by default the service makes one; git over ssh',
  '--age-identity <file>':
    'An identity of age that decrypts files of sops; by default the service makes one',
} as const

/** What errors call the fields of these flags. */
export const sourceFields = {
  look_every_seconds: '--every',
  username: '--user',
  certificate_authority: '--ca',
  host_key: '--host-key',
  private_key: '--private-key',
  age_identity: '--age-identity',
} as const

/** Returns the seconds of `--every`, null for `off`, and undefined without the flag. */
export function everyOf({ every }: { every: string | undefined }): number | null | undefined {
  if (every === undefined) return undefined
  return every === 'off' ? null : durationOf('--every', every, 's')
}

interface TrustFlags {
  ca: string | undefined
  hostKey: string | undefined
  privateKey: string | undefined
  ageIdentity: string | undefined
}

/** Returns the fields of the flags that say what signs in, what decrypts and whom to trust. */
export async function trustOf(
  { ca, hostKey, privateKey, ageIdentity }: TrustFlags,
  io: Pick<Io, 'cwd'>,
) {
  if (ca === '' || privateKey === '' || ageIdentity === '')
    throw wrongUsage('--ca, --private-key and --age-identity need a file')
  return {
    ...(ca !== undefined && { certificate_authority: await readNamed(io, ca, 'file of --ca') }),
    ...(privateKey !== undefined && { private_key: await readNamed(io, privateKey, 'key file') }),
    ...(hostKey !== undefined && { host_key: hostKey }),
    ...(ageIdentity !== undefined && {
      age_identity: await readNamed(io, ageIdentity, 'identity file'),
    }),
  }
}
