import { createHash } from 'node:crypto'
import { checkName } from '../../../functions/core/backups/contents/object-names.ts'
import { notFound } from '../../../functions/core/errors.ts'
import type { BackupCodec, ByteCount } from '../../../functions/core/ports/backup-codec.ts'
import type {
  BackupTargets,
  Bytes,
  OpenTarget,
} from '../../../functions/core/ports/backup-targets.ts'
import type { BackupTarget } from '../../../functions/core/records/backup-target.ts'

/** Backup targets in memory, with access for the test. */
export interface MemoryBackupTargets extends BackupTargets {
  /** Name → content. All targets share it. */
  readonly objects: Map<string, Buffer>
  /**
   * Set this to make calls fail: an error that it returns is thrown instead. `put` reads the
   * content first.
   */
  failing: ((call: keyof OpenTarget | 'open', name: string) => Error | undefined) | undefined
}

/** Returns targets that all open the same store. */
export function memoryBackupTargets(): MemoryBackupTargets {
  const objects = new Map<string, Buffer>()
  const fail = (call: keyof OpenTarget | 'open', name: string) => {
    const error = targets.failing?.(call, name)
    if (error) throw error
  }
  const opened: OpenTarget = {
    async put(name, content, signal) {
      checkName(name)
      const chunks: Uint8Array[] = []
      for await (const chunk of content) {
        signal.throwIfAborted()
        chunks.push(chunk)
      }
      signal.throwIfAborted()
      fail('put', name)
      const whole = Buffer.concat(chunks)
      objects.set(name, whole)
      return { bytes: whole.length }
    },
    async get(name, { offset = 0, signal } = {}) {
      checkName(name)
      fail('get', name)
      const found = objects.get(name)
      if (!found) throw notFound(`${name}: no such object`)
      return pieces(found.subarray(offset), signal)
    },
    async list(directory) {
      checkName(directory)
      fail('list', directory)
      const found = [...objects].filter(([name]) => name.startsWith(`${directory}/`))
      const sorted = found.sort(([one], [other]) => (one < other ? -1 : 1))
      return sorted.map(([name, { length }]) => ({ name, bytes: length }))
    },
    async remove(names) {
      for (const name of names) checkName(name)
      for (const name of names) {
        fail('remove', name)
        objects.delete(name)
      }
    },
    async close() {},
  }
  const targets: MemoryBackupTargets = {
    objects,
    failing: undefined,
    async open(target) {
      fail('open', target.kind)
      return opened
    },
    location: (target, name) => `${placeOf(target)}/${name}`,
  }
  return targets
}

function placeOf(target: BackupTarget): string {
  if (target.kind === 'local') return target.path
  if (target.kind === 's3') return `s3://${target.bucket}`
  return `sftp://${target.host}/${target.path}`
}

async function* pieces(content: Buffer, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 65_536) {
    signal?.throwIfAborted()
    yield content.subarray(at, at + 65_536)
  }
}

/** Returns a codec that does not change the content, but counts and hashes it. */
export function memoryBackupCodec(): BackupCodec {
  const through = (source: Bytes) => {
    const hash = createHash('sha256')
    let bytes = 0
    async function* stream() {
      for await (const chunk of source) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    }
    const count = (): ByteCount => ({ bytes, sha256: hash.copy().digest('hex') })
    return { stream: stream(), counts: () => ({ content: count(), stored: count() }) }
  }
  return { compression: 'zstd', pack: through, unpack: through }
}
