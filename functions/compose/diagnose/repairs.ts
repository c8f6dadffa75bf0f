import type { Place } from '../load/with-location.ts'
import type { Problem } from '../yaml/problem.ts'
import type { Path, Tree } from '../yaml/tree.ts'
import { isMap } from '../yaml/tree.ts'
import type { YamlDocument } from '../yaml/yaml.ts'
import { isWithin, RepairedDocument, valueAt } from './repaired-document.ts'

/** The documents of the files by path in the stack, and what was removed from them. */
export class Repairs {
  /** For the loader. Documents that it adds become repairable with `adopt`. */
  readonly parsed = new Map<string, YamlDocument[]>()

  adopt(): void {
    for (const [file, documents] of this.parsed) {
      if (documents.every((document) => document instanceof RepairedDocument)) continue
      const repairable = documents.map((document) => new RepairedDocument(document))
      this.parsed.set(file, repairable)
    }
  }

  /** Returns the repairable form of a document that the loader has read. */
  documentOf({ file, document }: Pick<Place, 'file' | 'document'>): RepairedDocument | undefined {
    return (this.parsed.get(file) ?? []).find(
      (one): one is RepairedDocument => one instanceof RepairedDocument && one.isOf(document),
    )
  }

  /** Returns whether a problem only follows from a value that was removed because of another. */
  explains({ path, missing }: Pick<Problem, 'path' | 'missing'>, place?: Place): boolean {
    if (missing) {
      const all = [...this.parsed.values()].flat().flatMap((document) => removedFrom(document))
      if (all.some((gone) => gone[0] === 'include' || isWithin(missing, gone))) return true
    }
    const document = place && this.documentOf(place)
    if (!document || !place) return false
    const full = [...document.inFile(path.slice(0, place.depth)), ...path.slice(place.depth)]
    return document.removed.some((gone) => isWithin(full, gone) || isNeededBy(full, gone))
  }

  /**
   * Removes the values that have problems. The paths are those of one load. Returns false if that
   * changes nothing.
   */
  removeAll(broken: readonly { path: Path; place: Place }[]): boolean {
    const parts = broken.flatMap(({ path, place }) => {
      const document = this.documentOf(place)
      if (!document) return []
      return [{ document, path: removable(path.slice(0, place.depth), document.value) }]
    })
    // From the end, so that the indexes of the entries before stay valid.
    parts.sort((one, other) => comparePaths(other.path, one.path))
    return parts.map(({ document, path }) => document.remove(path)).includes(true)
  }

  /** Drops a file that cannot be parsed. */
  drop(file: string): void {
    this.parsed.set(file, [])
  }
}

const removedFrom = (document: YamlDocument) =>
  document instanceof RepairedDocument ? document.removed : []

/** The attributes without one of which a service is not valid. */
const sources = ['image', 'build', 'extends', 'provider']

/** Returns whether the mapping at a path may be invalid only because one of its values is gone. */
function isNeededBy(path: Path, gone: Path): boolean {
  if (gone.length !== path.length + 1 || !isWithin(gone, path)) return false
  return path.length !== 2 || path[0] !== 'services' || sources.includes(String(gone.at(-1)))
}

/**
 * Returns the part of a path to remove: a whole entry of a list, because its parts need each other,
 * and what a service takes from another one rather than the service.
 */
function removable(path: Path, value: Tree): Path {
  const entry = path.findIndex((part) => typeof part === 'number')
  if (entry >= 0) return path.slice(0, entry + 1)
  const service = path.length === 2 && path[0] === 'services' ? valueAt(value, path) : undefined
  return isMap(service) && Object.hasOwn(service, 'extends') ? [...path, 'extends'] : path
}

function comparePaths(one: Path, other: Path): number {
  for (const [index, part] of one.entries()) {
    const against = other[index]
    if (against === undefined) return 1
    if (part === against) continue
    const isNumeric = typeof part === 'number' && typeof against === 'number'
    return isNumeric ? part - against : String(part) < String(against) ? -1 : 1
  }
  return one.length - other.length
}
