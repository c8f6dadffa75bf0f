import { join } from 'node:path'
import type { BackupCodec } from '../../../functions/core/ports/backup-codec.ts'
import type { BackupTargets } from '../../../functions/core/ports/backup-targets.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import { newIdentity } from '../../blobs/age.ts'
import { backupCodec } from '../../blobs/codec.ts'
import { backupTargets } from '../../blobs/targets.ts'
import type { Dialer } from '../../net/outbound.ts'
import { makePrivate, readPrivate } from '../keys/private-file.ts'

/**
 * Returns the path of the key that decrypts backups. Without a copy of it elsewhere, encrypted
 * backups are lost together with the service's machine.
 */
export const backupIdentityFile = (dataDirectory: string) =>
  join(dataDirectory, 'backup-identity.txt')

/** Opens the backup targets and the codec. Creates the identity at the first start. */
export async function openBackups(
  { dataDirectory, recipients }: { dataDirectory: string; recipients: string[] },
  dialer: Dialer,
  clock: Clock,
): Promise<{ backupTargets: BackupTargets; backupCodec: BackupCodec }> {
  const file = backupIdentityFile(dataDirectory)
  const found = await readPrivate(file)
  if (found === undefined) await makePrivate(file, await newIdentity(new Date(clock.now())))
  // Another process may have created the identity first, so it is read again.
  const identity = found ?? (await readPrivate(file)) ?? ''
  return {
    backupTargets: backupTargets({ directory: join(dataDirectory, 'backups'), dialer }),
    backupCodec: await backupCodec({ identity, recipients }),
  }
}
