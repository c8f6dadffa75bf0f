import { Failure, unusable } from '../../errors.ts'
import type { BackupObject } from '../../records/backup-manifest.ts'
import type { BackupRun } from '../../records/backup-run.ts'
import { TarCut, watchTar } from '../../tar/watch.ts'
import { readSystemArchive } from '../system/read-system.ts'
import { leftOutWarnings } from './left-out-texts.ts'
import { type OpenBackup, type OpenPorts, openBackup } from './open-backup.ts'

/** The result of verifying a backup. */
export interface BackupVerdict {
  ok: boolean
  /** Regular files in the archives and bytes of the archives, as far as they could be read. */
  files: number
  bytes: number
  /** Problems by object; empty for an intact backup. */
  problems: string[]
  /** What stacks use that the backup does not contain. */
  warnings: string[]
}

/**
 * Verifies a backup by reading all of it: digests, decryption, decompression and the archives to
 * their end. Problems of the backup are part of the result.
 *
 * @throws 409 if the run made no backup
 * @throws 500 if the target does not respond
 */
export async function verifyBackup(
  run: BackupRun,
  ports: OpenPorts,
  signal: AbortSignal,
): Promise<BackupVerdict> {
  const verdict: BackupVerdict = { ok: true, files: 0, bytes: 0, problems: [], warnings: [] }
  const addProblem = (error: unknown, name = '') => {
    // What is read of an object ends early then, which is no problem of the backup.
    signal.throwIfAborted()
    verdict.ok = false
    verdict.problems.push(problemOf(error, name))
  }
  const backup = await openBackup(run, ports, signal).catch((error) => addProblem(error))
  if (!backup) return verdict
  try {
    verdict.warnings = leftOutWarnings(backup.manifest.left_out ?? [], 'not in the backup')
    for (const object of backup.manifest.objects) {
      const counts = { files: 0, bytes: 0 }
      await readWhole(object, backup, counts, signal).catch((error) =>
        addProblem(error, object.name),
      )
      verdict.files += counts.files
      verdict.bytes += counts.bytes
    }
    return verdict
  } finally {
    await backup.close()
  }
}

async function readWhole(
  object: BackupObject,
  backup: OpenBackup,
  counts: { files: number; bytes: number },
  signal: AbortSignal,
): Promise<void> {
  const watch = watchTar(backup.archive(object, signal))
  async function* counted() {
    for await (const chunk of watch.stream) {
      counts.bytes += chunk.length
      yield chunk
    }
  }
  // The archive of the service's state is parsed too.
  const reading = object.kind === 'system' ? readSystemArchive(counted()) : counted()
  for await (const _part of reading);
  counts.files = watch.files()
  if (counts.files === object.files) return
  throw unusable(`it contains ${counts.files} files, but ${object.files} were backed up`)
}

/** Returns the problem of the backup. Rethrows errors that are not about the backup. */
function problemOf(error: unknown, name: string): string {
  const isOfBackup = (error instanceof Failure && error.status === 422) || error instanceof TarCut
  if (!isOfBackup) throw error
  return name === '' || error.message.startsWith(name) ? error.message : `${name}: ${error.message}`
}
