import { notFound } from '../../../functions/core/errors.ts'
import type {
  FilePlace,
  FoundSockets,
  HostFile,
} from '../../../functions/core/records/host-engine.ts'
import { tarEntries } from '../../../functions/core/tar/entries.ts'
import { tarOf } from '../../../functions/core/tar/make.ts'
import type { EngineState } from './engine-state.ts'

const keyOf = (place: FilePlace) =>
  place.kind === 'volume' ? `volume ${place.name}` : `directory ${place.path}`

/** Yields the archive that was written to a place, or an archive of the files in a directory. */
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

/** Returns the sockets that a test put into a place. */
export async function findSockets(state: EngineState, place: FilePlace): Promise<FoundSockets> {
  const paths = state.sockets.get(keyOf(place)) ?? []
  return { count: paths.length, paths: paths.slice(0, 1000) }
}

/** Stores the archive as the content of the place. */
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

/** Removes the named files from a place; the others stay. */
export async function clearPlace(
  state: EngineState,
  place: FilePlace,
  paths: Uint8Array,
): Promise<void> {
  const gone = new Set(Buffer.from(paths).toString().split('\0'))
  const left: HostFile[] = []
  for await (const { header, content } of tarEntries(once(await archiveOf(state, place)))) {
    const parts: Uint8Array[] = []
    for await (const part of content) parts.push(part)
    if (header.type !== 'file' || gone.has(header.name)) continue
    left.push({ path: header.name, mode: header.mode ?? 0o644, content: Buffer.concat(parts) })
  }
  state.archives.set(keyOf(place), await tarOf(left))
}

async function* once(bytes: Uint8Array) {
  yield bytes
}
