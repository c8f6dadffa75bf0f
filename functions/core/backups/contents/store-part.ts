import { Failure, internalError } from '../../errors.ts'
import type { BackupCodec } from '../../ports/backup-codec.ts'
import type { Bytes, OpenTarget } from '../../ports/backup-targets.ts'
import type { BackupObject, ObjectForm } from '../../records/backup-manifest.ts'
import { TarCut, watchTar } from '../../tar/watch.ts'
import type { BackupPart } from './backup-parts.ts'
import { lostTimesText } from './left-out-texts.ts'
import { objectName } from './object-form.ts'

/** Attempts to read an archive that the Engine truncates. */
const triesMax = 3

/** The destination of a part, and the callbacks that report its progress. */
export interface PartStore {
  target: OpenTarget
  codec: BackupCodec
  directory: string
  encrypted: boolean
  signal: AbortSignal
  /** Reports bytes that passed: of archives and as stored. */
  count(bytes: { read: number; stored: number }): void
  /** Reports what the stored archive has and a restore cannot bring back. */
  warn(text: string): void
}

/**
 * Stores the archive of a part as a stream. An archive that the Engine truncates, which happens
 * when a file shrinks while it is read, is retried.
 *
 * @throws `Failure` that names the part
 */
export async function storePart(
  part: BackupPart,
  archive: () => Bytes,
  store: PartStore,
): Promise<BackupObject> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await storeOnce(part, archive(), store)
    } catch (error) {
      if (store.signal.aborted) throw store.signal.reason
      if (error instanceof TarCut && tries < triesMax) continue
      throw failureOf(part, error)
    }
  }
}

async function storeOnce(part: BackupPart, archive: Bytes, store: PartStore) {
  const { target, codec, directory, signal, count } = store
  const form: ObjectForm = { compression: codec.compression, encrypted: store.encrypted }
  const name = objectName(`${part.base}.tar`, form)
  // An error of the source takes precedence over the error that the target makes of it.
  let sourceFailure: { error: unknown } | undefined
  const watch = watchTar(archive)
  const source = counted(
    watch.stream,
    (read) => count({ read, stored: 0 }),
    (error) => {
      sourceFailure = { error }
    },
  )
  const coded = codec.pack(source, form, signal)
  try {
    const stream = counted(coded.stream, (stored) => count({ read: 0, stored }))
    const { bytes } = await target.put(`${directory}/${name}`, stream, signal)
    const { content, stored } = coded.counts()
    if (bytes !== stored.bytes) throw internalError('not all of it was stored')
    const lost = watch.lostTimes()
    if (lost.count > 0) store.warn(lostTimesText(part, lost))
    return objectOf(part, { name, files: watch.files(), content, stored })
  } catch (error) {
    throw sourceFailure ? sourceFailure.error : error
  }
}

type Counts = ReturnType<ReturnType<BackupCodec['pack']>['counts']>

function objectOf(part: BackupPart, made: { name: string; files: number } & Counts): BackupObject {
  const { name, files, content, stored } = made
  return {
    name,
    kind: part.kind,
    source: part.source,
    stack: part.kind === 'volume' ? part.stack : null,
    bytes: stored.bytes,
    sha256: stored.sha256,
    tar_bytes: content.bytes,
    tar_sha256: content.sha256,
    files,
  }
}

async function* counted(
  source: Bytes,
  count: (bytes: number) => void,
  failed: (error: unknown) => void = () => {},
): AsyncGenerator<Uint8Array, void, void> {
  try {
    for await (const chunk of source) {
      count(chunk.length)
      yield chunk
    }
  } catch (error) {
    failed(error)
    throw error
  }
}

function failureOf({ label, kind }: BackupPart, error: unknown): Failure {
  if (error instanceof TarCut) {
    const advice = kind === 'system' ? '' : ': files shrank while they were read, stop its services'
    const text = `${label}: the archive was cut short${advice}`
    return internalError(text, { reason: 'conflict', cause: error })
  }
  if (error instanceof Failure) {
    return new Failure(error.status, `${label}: ${error.message}`, { cause: error })
  }
  return internalError(`${label}: it could not be stored`, { cause: error })
}
