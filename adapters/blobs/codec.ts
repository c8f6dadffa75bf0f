import { createHash } from 'node:crypto'
import { internalError } from '../../functions/core/errors.ts'
import type { BackupCodec, ByteCount } from '../../functions/core/ports/backup-codec.ts'
import type { Bytes } from '../../functions/core/ports/backup-targets.ts'
import type { ObjectForm } from '../../functions/core/records/backup-manifest.ts'
import { checkRecipient, decryptArchive, encryptArchive, identitiesIn, recipientOf } from './age.ts'
import { gunzipped, gzipped } from './gzip.ts'
import { compressed, decompressed, findZstd, type Zstd } from './zstd.ts'

/** The keys that archives are encrypted and decrypted with. */
export interface CodecKeys {
  /** Secret keys in the format of age-keygen. Archives are encrypted for each of them. */
  identity: string
  /** Additional public keys (`age1…`) that archives are encrypted for. */
  recipients?: readonly string[]
}

/** Returns a codec that uses the zstd available on this machine. Throws if a key is not valid. */
export async function backupCodec(
  { identity, recipients = [] }: CodecKeys,
  find: () => Promise<Zstd | undefined> = findZstd,
): Promise<BackupCodec> {
  const identities = identitiesIn(identity)
  for (const recipient of recipients) checkRecipient(recipient)
  const readers = [...(await Promise.all(identities.map(recipientOf))), ...recipients]
  const zstd = await find()
  const getZstd = () => {
    if (zstd) return zstd
    throw internalError('zstd is not available: the package @mongodb-js/zstd does not load')
  }

  function packed(content: Bytes, { compression, encrypted }: ObjectForm): Bytes {
    const small =
      compression === 'zstd'
        ? compressed(content, getZstd())
        : compression === 'gzip'
          ? gzipped(content)
          : content
    return encrypted ? encryptArchive(small, readers, identities) : small
  }

  function unpacked(stored: Bytes, { compression, encrypted }: ObjectForm): Bytes {
    const small = encrypted ? decryptArchive(stored, identities) : stored
    if (compression === 'zstd') return decompressed(small, getZstd())
    return compression === 'gzip' ? gunzipped(small) : small
  }

  return {
    compression: zstd ? 'zstd' : 'gzip',
    pack(content, form, signal) {
      const plain = counted(content, signal)
      const stored = counted(packed(plain.stream, form), signal)
      return {
        stream: stored.stream,
        counts: () => ({ content: plain.count(), stored: stored.count() }),
      }
    },
    unpack(bytes, form, signal) {
      const stored = counted(bytes, signal)
      const plain = counted(unpacked(stored.stream, form), signal)
      return {
        stream: plain.stream,
        counts: () => ({ content: plain.count(), stored: stored.count() }),
      }
    },
  }
}

/**
 * Milliseconds before it yields to the event loop: a source that is always ready would block
 * everything else.
 */
const sliceMilliseconds = 5

/** Passes bytes through, counting and hashing them. */
function counted(source: Bytes, signal?: AbortSignal) {
  const hash = createHash('sha256')
  let bytes = 0
  let sliceStart = performance.now()
  async function* stream() {
    for await (const chunk of source) {
      if (performance.now() - sliceStart > sliceMilliseconds) {
        await new Promise((resolve) => setImmediate(resolve))
        sliceStart = performance.now()
      }
      signal?.throwIfAborted()
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
    signal?.throwIfAborted()
  }
  return {
    stream: stream(),
    count: (): ByteCount => ({ bytes, sha256: hash.copy().digest('hex') }),
  }
}
