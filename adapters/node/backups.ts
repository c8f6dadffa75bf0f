import { join } from 'node:path'
import type { BackupCodec, BackupTargets } from '../../functions/core/backups/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { newIdentity } from '../blobs/age.ts'
import { backupCodec } from '../blobs/codec.ts'
import { backupTargets } from '../blobs/targets.ts'
import type { Dialer } from '../net/outbound.ts'
import { makePrivate, readPrivate } from './private-file.ts'

/** The key that decrypts backups. Who loses it and the service's machine has no encrypted backup any more. */
export const backupIdentityFile = (dataDirectory: string) =>
  join(dataDirectory, 'backup-identity.txt')

/** Where backups are kept, and in what form. The identity is made at the first start. */
export async function openBackups(
  { dataDirectory, recipients }: { dataDirectory: string; recipients: string[] },
  dialer: Dialer,
  clock: Clock,
): Promise<{ backupTargets: BackupTargets; backupCodec: BackupCodec }> {
  const file = backupIdentityFile(dataDirectory)
  const found = await readPrivate(file)
  if (found === undefined) await makePrivate(file, await newIdentity(new Date(clock.now())))
  // Of processes that start at once all use the one that is there.
  const identity = found ?? (await readPrivate(file)) ?? ''
  return {
    backupTargets: backupTargets({ directory: join(dataDirectory, 'backups'), dialer }),
    backupCodec: await backupCodec({ identity, recipients }),
  }
}
