import { Failure, internalError, unusable } from '../errors.ts'
import type { Bytes } from '../ports/backup-targets.ts'
import type { Engine } from '../ports/engine.ts'
import type { FilePlace } from '../records/host-engine.ts'
import { tarEntries } from '../tar/entries.ts'
import { tarFiles } from '../tar/watch.ts'

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
  for await (const _chunk of withPaths(engine.readArchive(place, owner, signal), names.add));
  return names.list()
}

/**
 * Passes an archive through and reports the path of each entry, as its bytes.
 *
 * @throws 422 if the archive is damaged or truncated
 */
async function* withPaths(source: Bytes, onPath: (path: Buffer) => void): Bytes {
  const walk = tarFiles(onPath)
  for await (const chunk of source) {
    walk.see(chunk)
    yield chunk
  }
  if (!walk.ended()) throw unusable('the archive was cut off')
}

/** Paths that are joined at a time. */
const blockPaths = 1000

/**
 * Collects paths in the order of an archive, directories before their content, and returns them in
 * reverse.
 */
function pathList() {
  const blocks: Buffer[] = []
  let block: Buffer[] = []
  const join = () => {
    if (block.length > 0)
      blocks.push(Buffer.concat(block.reverse().flatMap((path) => [path, zero])))
    block = []
  }
  return {
    add(path: Buffer) {
      // The place itself is not deleted.
      if (!isInside(path.toString('latin1'))) return
      block.push(path)
      if (block.length === blockPaths) join()
    },
    list(): Uint8Array {
      join()
      return Buffer.concat(blocks.reverse())
    },
  }
}

const zero = Buffer.alloc(1)
