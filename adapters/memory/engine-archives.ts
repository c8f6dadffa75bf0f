import { tarOf } from '../../functions/core/backups/tar.ts'
import type { FilePlace } from '../../functions/core/engine/archives.ts'
import { notFound } from '../../functions/core/errors.ts'
import type { EngineState } from './engine-state.ts'

const keyOf = (place: FilePlace) =>
  place.kind === 'volume' ? `volume ${place.name}` : `directory ${place.path}`

/** A place as it was written, or the files of a directory. */
export async function* readArchive(
  state: EngineState,
  place: FilePlace,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const whole = await archiveOf(state, place)
  for (let at = 0; at < whole.length; at += 32_768) {
    signal.throwIfAborted()
    yield whole.subarray(at, at + 32_768)
  }
}

async function archiveOf(state: EngineState, place: FilePlace): Promise<Uint8Array> {
  const kept = state.archives.get(keyOf(place))
  if (place.kind === 'volume') {
    if (!state.volumes.has(place.name)) throw notFound(`get ${place.name}: no such volume`)
    return kept ?? tarOf([])
  }
  const prefix = `${place.path}/`
  const files = [...state.files].filter(([path]) => path.startsWith(prefix))
  if (!kept && files.length === 0) throw notFound(`${place.path} is not there`)
  const named = files.map(([path, file]) => ({
    ...file,
    path: `data/${path.slice(prefix.length)}`,
  }))
  return kept ?? tarOf(named)
}

/** Keeps the archive as what is in the place. */
export async function writeArchive(
  state: EngineState,
  place: FilePlace,
  archive: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  if (place.kind === 'volume' && !state.volumes.has(place.name)) {
    throw notFound(`get ${place.name}: no such volume`)
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of archive) {
    signal.throwIfAborted()
    chunks.push(chunk)
  }
  state.archives.set(keyOf(place), Buffer.concat(chunks))
}
