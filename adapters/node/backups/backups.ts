import { join } from 'node:path'
import type { BackupCodec } from '../../../functions/core/ports/backup-codec.ts'
import type { BackupTargets } from '../../../functions/core/ports/backup-targets.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import { findOrCreate, type KeyStore } from '../../../functions/core/ports/key-store.ts'
import { newIdentity } from '../../blobs/age.ts'
import { backupCodec } from '../../blobs/codec.ts'
import { backupTargets } from '../../blobs/targets.ts'
import type { Dialer } from '../../net/outbound.ts'

/**
 * The name of the key that decrypts backups. Without a copy of it elsewhere, encrypted backups are
 * lost together with the service.
 */
const identityName = 'backup-identity.txt'

/** Opens the backup targets and the codec. Creates the identity at the first start. */
export async function openBackups(
  keys: KeyStore,
  { dataDirectory, recipients }: { dataDirectory: string; recipients: string[] },
  dialer: Dialer,
  clock: Clock,
): Promise<{ backupTargets: BackupTargets; backupCodec: BackupCodec }> {
  const make = () => newIdentity(new Date(clock.now()))
  const { text: identity } = await findOrCreate(keys, identityName, make)
  return {
    backupTargets: backupTargets({ directory: join(dataDirectory, 'backups'), dialer }),
    backupCodec: await backupCodec({ identity, recipients }),
  }
}
