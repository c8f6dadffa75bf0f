import { Failure } from '../errors.ts'
import { TarCut, watchTar } from '../tar/watch.ts'
import type { BackupObject } from './manifest.ts'
import { type OpenBackup, type OpenPorts, openBackup } from './open-backup.ts'
import { readSystemArchive } from './read-system.ts'
import type { BackupRun } from './run.ts'

/** What reading a backup back has shown. */
export interface BackupVerdict {
  ok: boolean
  /** Regular files in its archives, and bytes of the archives, as far as they could be read. */
  files: number
  bytes: number
  /** What is wrong, by object; empty for a backup that is whole. */
  problems: string[]
}

/**
 * Reads a backup back whole: every object's digest, its decryption and decompression, and the archive within to its end. Throws
 * a `Failure`: 409 for a run that made no backup, 500 for a target that does not answer; what is wrong with the backup is no
 * failure but the verdict.
 */
export async function verifyBackup(
  run: BackupRun,
  ports: OpenPorts,
  signal: AbortSignal,
): Promise<BackupVerdict> {
  const verdict: BackupVerdict = { ok: true, files: 0, bytes: 0, problems: [] }
  const found = (error: unknown, name = '') => {
    verdict.ok = false
    verdict.problems.push(problemOf(error, name))
  }
  const backup = await openBackup(run, ports, signal).catch((error) => found(error))
  if (!backup) return verdict
  try {
    for (const object of backup.manifest.objects) {
      const seen = { files: 0, bytes: 0 }
      await readWhole(object, backup, seen, signal).catch((error) => found(error, object.name))
      verdict.files += seen.files
      verdict.bytes += seen.bytes
    }
    return verdict
  } finally {
    await backup.close()
  }
}

async function readWhole(
  object: BackupObject,
  backup: OpenBackup,
  seen: { files: number; bytes: number },
  signal: AbortSignal,
): Promise<void> {
  const watch = watchTar(backup.archive(object, signal))
  async function* counted() {
    for await (const chunk of watch.stream) {
      seen.bytes += chunk.length
      yield chunk
    }
  }
  // The state of the service is looked into: each of its parts must be one.
  const reading = object.kind === 'system' ? readSystemArchive(counted()) : counted()
  for await (const _part of reading);
  seen.files = watch.files()
  if (seen.files === object.files) return
  throw new Failure(422, `${seen.files} files are in it, and ${object.files} were backed up`)
}

/** What is wrong with a backup, or the failure itself when that is something else. */
function problemOf(error: unknown, name: string): string {
  const isOfBackup = (error instanceof Failure && error.status === 422) || error instanceof TarCut
  if (!isOfBackup) throw error
  return name === '' || error.message.startsWith(name) ? error.message : `${name}: ${error.message}`
}
