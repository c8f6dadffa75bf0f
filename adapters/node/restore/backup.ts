import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { formOf } from '../../../functions/core/backups/contents/object-form.ts'
import {
  manifestBytesMax,
  readManifest,
} from '../../../functions/core/backups/contents/read-manifest.ts'
import { readObject } from '../../../functions/core/backups/contents/read-object.ts'
import type { Bytes } from '../../../functions/core/ports/backup-targets.ts'
import type { BackupManifest } from '../../../functions/core/records/backup-manifest.ts'
import { backupCodec } from '../../blobs/codec.ts'
import { StartError } from '../process/start-error.ts'

/** A system backup in a directory. */
export interface SystemBackup {
  manifest: BackupManifest
  /** Digest of the stored manifest, and its size. */
  sha256: string
  bytes: number
  /**
   * Returns the archive of the service, from its beginning. Throws if it does not match the
   * recorded digest.
   */
  archive(): Bytes
}

/** Opens a backup. Throws a message for people if that fails. */
export async function openBackup(directory: string, identityFile: string): Promise<SystemBackup> {
  const names = namesIn(directory)
  const name = ['manifest.json.age', 'manifest.json'].find((one) => names.includes(one))
  if (!name) {
    throw new StartError(
      `${directory} is not a backup: it has no manifest.json.age. An unfinished backup has none; name the directory of a run.`,
    )
  }
  const codec = await backupCodec({ identity: readIdentity(identityFile) })
  const path = join(directory, name)
  if (statSync(path).size > manifestBytesMax) throw new StartError(`${path} is not a manifest`)
  const stored = readFileSync(path)
  const parts: Uint8Array[] = []
  const content = codec.unpack(once(stored), formOf(name)).stream
  for await (const part of content) parts.push(Uint8Array.from(part))
  const manifest = readManifest(Buffer.concat(parts).toString())
  const object = manifest.objects.find(({ kind }) => kind === 'system')
  if (!object) {
    const others = manifest.objects.map(({ kind, source }) => `${kind} ${source}`).join(', ')
    throw new StartError(
      `The backup ${manifest.run} does not contain the state of the service, only: ${others || 'nothing'}. Restore stacks and volumes with a running service.`,
    )
  }
  const file = join(directory, object.name)
  if (!existsSync(file)) throw new StartError(`${file} is missing: the backup is incomplete`)
  return {
    manifest,
    sha256: createHash('sha256').update(stored).digest('hex'),
    bytes: stored.length,
    archive: () => readObject(object, createReadStream(file), codec),
  }
}

/** @throws StartError if there is something that cannot be read */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw new StartError(`${directory} cannot be read by user ${process.getuid?.()} (${code})`)
  }
}

function readIdentity(path: string): string {
  if (!existsSync(path)) throw new StartError(`${path}: no such file (--identity)`)
  const text = readFileSync(path, 'utf8')
  if (/^AGE-SECRET-KEY-1/m.test(text)) return text
  throw new StartError(`${path} contains no age identity, a line AGE-SECRET-KEY-1… (--identity)`)
}

async function* once(bytes: Uint8Array): Bytes {
  yield bytes
}
