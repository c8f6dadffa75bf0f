import { join } from 'node:path'
import type { BackupCodec, BackupTargets, Bytes } from '../../functions/core/backups/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { newIdentity } from '../blobs/age.ts'
import { backupCodec } from '../blobs/codec.ts'
import { backupTargets } from '../blobs/targets.ts'
import type { Dialer } from '../net/outbound.ts'
import { makePrivate, readPrivate } from './private-file.ts'
import { keepTidy } from './tidy.ts'

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
    backupCodec: tidied(await backupCodec({ identity, recipients })),
  }
}

/** A small collection costs two milliseconds, a whole one forty. Bytes. */
const untidy = { young: 8 * 1024 ** 2, all: 32 * 1024 ** 2, alone: true }

/** The same, and while something goes through it the buffers that it leaves behind are collected soon. */
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
