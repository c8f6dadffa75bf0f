import { Failure, internalError } from '../errors.ts'
import type { Bytes } from '../ports/backup-targets.ts'
import type { Engine } from '../ports/engine.ts'
import { markHandled } from '../promises.ts'
import type { FilePlace } from '../records/host-engine.ts'
import { tarEntries } from '../tar/entries.ts'

/** The context of work on an Engine. */
export interface PlaceWork {
  engine: Engine
  /** The ID of the run. */
  owner: string
  signal: AbortSignal
}

/** Returns the name of a place as text for people. */
export const placeName = (place: FilePlace) =>
  place.kind === 'volume' ? `volume ${place.name}` : `directory ${place.path}`

/** Returns whether a place contains anything. A place that does not exist is empty. */
export async function isOccupied(place: FilePlace, work: PlaceWork): Promise<boolean> {
  const { engine, owner, signal } = work
  try {
    for await (const { header, content } of tarEntries(engine.readArchive(place, owner, signal))) {
      // The first entry is the place itself.
      if (isInside(header.name)) return true
      for await (const _chunk of content);
    }
    return false
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return false
    throw error
  }
}

const isInside = (name: string) => name.startsWith('data/') && name !== 'data/'

/**
 * Copies a place into another. Returns the paths in it, in an order in which they can be deleted.
 */
export async function copyPlace(
  from: FilePlace,
  to: FilePlace,
  { engine, owner, signal }: PlaceWork,
): Promise<Uint8Array> {
  const names = pathList()
  const archive = withPaths(engine.readArchive(from, owner, signal), names.add)
  await engine.writeArchive(to, archive, owner, signal)
  return names.list()
}

/**
 * Deletes everything in a place. `paths` is the result of `copyPlace`; without it the paths are
 * read first.
 */
export async function emptyPlace(
  place: FilePlace,
  work: PlaceWork,
  paths?: Uint8Array,
): Promise<void> {
  const { engine, owner, signal } = work
  await engine.clearPlace(place, paths ?? (await pathsIn(place, work)), owner, signal)
  if (await isOccupied(place, work)) {
    throw internalError(`${placeName(place)}: not all of its contents could be deleted`, {
      reason: 'engine-failed',
    })
  }
}

async function pathsIn(place: FilePlace, work: PlaceWork) {
  const { engine, owner, signal } = work
  const names = pathList()
  if (!(await isOccupied(place, work))) return names.list()
  for await (const { header, content } of tarEntries(engine.readArchive(place, owner, signal))) {
    names.add(header.name)
    for await (const _chunk of content);
  }
  return names.list()
}

/** Chunks that the reader of the names may lag behind. */
const behindMax = 16

/** Passes an archive through and reports the name of each entry. */
async function* withPaths(source: Bytes, onPath: (name: string) => void): Bytes {
  const waiting: Uint8Array[] = []
  let isOver = false
  let wake = () => {}
  const changed = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  async function* fed() {
    while (!isOver || waiting.length > 0) {
      const chunk = waiting.shift()
      wake()
      if (chunk) yield chunk
      else await changed()
    }
  }
  const readNames = async () => {
    for await (const { header, content } of tarEntries(fed())) {
      onPath(header.name)
      for await (const _chunk of content);
    }
  }
  const reading = markHandled(readNames())
  try {
    for await (const chunk of source) {
      waiting.push(chunk)
      wake()
      while (waiting.length > behindMax) await Promise.race([changed(), reading])
      yield chunk
    }
  } finally {
    isOver = true
    wake()
  }
  await reading
}

/** Paths that are joined at a time. */
const blockPaths = 1000

/**
 * Collects paths in the order of an archive, directories before their content, and returns them in
 * reverse.
 */
function pathList() {
  const blocks: Buffer[] = []
  let block: string[] = []
  const join = () => {
    if (block.length > 0) blocks.push(Buffer.from(`${block.reverse().join('\0')}\0`))
    block = []
  }
  return {
    add(name: string) {
      // The place itself is not deleted.
      if (!isInside(name)) return
      block.push(name)
      if (block.length === blockPaths) join()
    },
    list(): Uint8Array {
      join()
      return Buffer.concat(blocks.reverse())
    },
  }
}
