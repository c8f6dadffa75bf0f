import { join } from 'node:path'
import type { BackupCodec, BackupTargets, Bytes } from '../../functions/core/backups/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { newIdentity } from '../blobs/age.ts'
import { backupCodec } from '../blobs/codec.ts'
import { backupTargets } from '../blobs/targets.ts'
import type { Dialer } from '../net/outbound.ts'
import { makePrivate, readPrivate } from './private-file.ts'
import { keepTidy } from './tidy.ts'

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
    backupCodec: tidied(await backupCodec({ identity, recipients })),
  }
}

/** Bytes. A minor collection takes two milliseconds, a full one forty. */
const untidy = { young: 8 * 1024 ** 2, all: 32 * 1024 ** 2, alone: true }

/** Returns a codec that collects garbage soon while a stream is in use. */
function tidied(codec: BackupCodec): BackupCodec {
  async function* kept(stream: Bytes): Bytes {
    const end = keepTidy(untidy)
    try {
      yield* stream
    } finally {
      end()
    }
  }
  const through = <T extends { stream: Bytes }>(coded: T): T => ({
    ...coded,
    stream: kept(coded.stream),
  })
  return {
    compression: codec.compression,
    pack: (...given) => through(codec.pack(...given)),
    unpack: (...given) => through(codec.unpack(...given)),
  }
}
