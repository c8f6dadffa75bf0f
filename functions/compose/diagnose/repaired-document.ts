import type { Path, Tree, TreeMap } from '../yaml/tree.ts'
import { copyTree, isMap, mapOf } from '../yaml/tree.ts'
import type { YamlDocument } from '../yaml/yaml.ts'

/**
 * A document from which values with a problem are removed one by one, so that the next load finds
 * the next problem. Paths of the remaining values are paths in `value`; positions stay those in the
 * file.
 */
export class RepairedDocument implements YamlDocument {
  value: Tree
  /** The paths of the removed values in the file. */
  readonly removed: Path[] = []
  readonly #document: YamlDocument

  constructor(document: YamlDocument) {
    this.#document = document
    this.value = document.value
  }

  get tags() {
    return this.#document.tags
  }

  /** Returns whether this is the document with values removed. */
  isOf(document: YamlDocument): boolean {
    return document === this || document === this.#document
  }

  locate(path: Path) {
    return this.#document.locate(this.inFile(path))
  }

  /** Returns the path in the file of a path in `value`: entries of lists that are gone count. */
  inFile(path: Path): Path {
    const full: (string | number)[] = []
    for (const part of path) {
      full.push(typeof part === 'number' ? this.#indexInFile(full, part) : part)
    }
    return full
  }

  #indexInFile(list: Path, index: number): number {
    const gone = this.removed
      .filter((path) => path.length === list.length + 1 && isWithin(path, list))
      .map((path) => path.at(-1))
      .filter((part) => typeof part === 'number')
      .sort((one, other) => one - other)
    return gone.reduce((shifted, removed) => (removed <= shifted ? shifted + 1 : shifted), index)
  }

  /**
   * Removes the value at a path, or the innermost one around it. A resource is replaced by one
   * without problems, so that references to it stay valid. Returns false if there is no such value.
   */
  remove(given: Path): boolean {
    const path = existing(this.value, given)
    if (path.length === 0) return false
    const original = this.inFile(path)
    if (this.removed.some((other) => isSame(other, original))) return false
    // The loader keeps parts of the value, so it is copied before the first change.
    if (this.removed.length === 0) this.value = copyTree(this.value)
    take(this.value, path, standIn(path))
    this.removed.push(original)
    return true
  }
}

/** Returns whether a path is the other one or lies below it. */
export const isWithin = (path: Path, outer: Path): boolean =>
  outer.every((part, index) => path[index] === part)

const isSame = (one: Path, other: Path) => one.length === other.length && isWithin(one, other)

/** Returns the longest part of a path that leads to a value. */
function existing(value: Tree, path: Path): Path {
  let at = path
  while (at.length > 0 && valueAt(value, at) === undefined) at = at.slice(0, -1)
  return at
}

/** Returns the value at a path, or undefined. */
export const valueAt = (value: Tree, path: Path): Tree | undefined =>
  path.reduce<Tree | undefined>((at, part) => {
    if (Array.isArray(at)) return at[Number(part)]
    return isMap(at) && Object.hasOwn(at, part) ? at[part] : undefined
  }, value)

/** Returns what takes the place of a resource, or undefined for a value that is left out. */
function standIn([kind, , more]: Path): TreeMap | undefined {
  if (more !== undefined) return undefined
  if (kind === 'services') return mapOf([['image', 'stand-in']])
  if (kind === 'secrets' || kind === 'configs') return mapOf([['external', true]])
  return kind === 'networks' || kind === 'volumes' || kind === 'models' ? mapOf([]) : undefined
}

/** Removes the value at a path, or puts another one in its place. Changes `root`. */
function take(root: Tree, path: Path, instead: Tree | undefined): void {
  const parent = valueAt(root, path.slice(0, -1))
  const last = path.at(-1)
  if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else if (isMap(parent) && last !== undefined) {
    if (instead === undefined) delete parent[last]
    else parent[last] = instead
  }
}
