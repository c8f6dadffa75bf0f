import { conflict, Failure, unusable } from '../../errors.ts'
import type { BackupCodec } from '../../ports/backup-codec.ts'
import type { BackupTargets, Bytes } from '../../ports/backup-targets.ts'
import type { Needs } from '../../ports/ports.ts'
import type { BackupManifest, BackupObject } from '../../records/backup-manifest.ts'
import { type BackupRun, isWhole } from '../../records/backup-run.ts'
import { formOf, manifestName } from './object-form.ts'
import { manifestBytesMax, readManifest } from './read-manifest.ts'
import { readObject } from './read-object.ts'
import { targetOf } from './run-target.ts'

/** A backup that is open for reading. */
export interface OpenBackup {
  manifest: BackupManifest
  /**
   * Returns the archive of an object from its start, see `readObject`. Reading it throws 422 if the
   * object is gone.
   */
  archive(object: BackupObject, signal: AbortSignal): Bytes
  close(): Promise<void>
}

export type OpenPorts = Needs<'backupJobs'> & {
  backupTargets: BackupTargets
  backupCodec: BackupCodec
}

/**
 * Opens the backup of a run.
 *
 * @throws 409 if the run made no backup
 * @throws 422 if its manifest is gone, damaged or encrypted with another key
 * @throws 500 if the target does not respond
 */
export async function openBackup(
  run: BackupRun,
  ports: OpenPorts,
  signal: AbortSignal,
): Promise<OpenBackup> {
  if (!isWhole(run)) throw noBackup(run)
  const job = await ports.backupJobs.find(run.jobId)
  const target = await ports.backupTargets.open(targetOf(run, job), signal)
  const get = async (name: string) => {
    try {
      return await target.get(`${run.directory}/${name}`, { signal })
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 404) throw error
      throw unusable(`${name}: missing from ${run.location}`, { cause: error })
    }
  }
  try {
    const manifest = await manifestOf(run, get, ports)
    return {
      manifest,
      async *archive(object, own) {
        yield* readObject(object, await get(object.name), ports.backupCodec, own)
      },
      close: () => target.close(),
    }
  } catch (error) {
    await target.close()
    throw error
  }
}

async function manifestOf(
  run: BackupRun,
  get: (name: string) => Promise<Bytes>,
  { backupCodec }: OpenPorts,
): Promise<BackupManifest> {
  const name = manifestName(run.encrypted)
  const coded = backupCodec.unpack(await get(name), formOf(name))
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of coded.stream) {
    bytes += part.length
    if (bytes > manifestBytesMax) throw unusable(`${name}: not a manifest`)
    parts.push(Uint8Array.from(part))
  }
  const { sha256 } = coded.counts().stored
  if (sha256 !== run.sha256) {
    throw unusable(`${name}: differs from what was stored (SHA-256 mismatch)`)
  }
  const manifest = readManifest(Buffer.concat(parts).toString())
  if (manifest.run !== run.id) throw unusable(`${name}: belongs to run ${manifest.run}`)
  return manifest
}

/** 409: the run made no backup, or the removal of its backup began. */
function noBackup({ id, status, error }: BackupRun) {
  if (status !== 'succeeded') return conflict(`run ${id} created no backup: ${error ?? status}`)
  return conflict(`run ${id}: its backup was removed in part: delete it again`)
}
