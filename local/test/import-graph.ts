import { importsOf } from '../rules/imports.ts'
import type { Source } from '../rules/source.ts'

/** Which files import which. Types are erased, so that a change of one breaks no test. */
export class ImportGraph {
  readonly #texts: ReadonlyMap<string, string>
  readonly #imports = new Map<string, string[]>()
  readonly #importers = new Map<string, string[]>()

  constructor(sources: readonly Source[]) {
    this.#texts = new Map(sources.map(({ path, text }) => [path, text]))
    for (const source of sources) {
      const real = importsOf(source).filter(({ isPackage, typeOnly }) => !isPackage && !typeOnly)
      const targets = real.map(({ target }) => target)
      this.#imports.set(source.path, targets)
      for (const target of targets) {
        this.#importers.set(target, [...(this.#importers.get(target) ?? []), source.path])
      }
    }
  }

  has(path: string): boolean {
    return this.#texts.has(path)
  }

  textOf(path: string): string {
    return this.#texts.get(path) ?? ''
  }

  /** Returns these files and all that they import, without what `end` imports. */
  from(paths: readonly string[], end?: string): Set<string> {
    return new Set(distances(paths, (path) => (path === end ? [] : this.#imports.get(path))).keys())
  }

  /**
   * Returns how many imports each file is away from the nearest of these files, which have 0. Files
   * that do not reach one are missing, and so are those that reach one through `end` alone.
   */
  stepsTo(paths: readonly string[], end?: string): Map<string, number> {
    return distances(paths, (path) => (path === end ? [] : this.#importers.get(path)))
  }
}

/** Returns how far each file is from the nearest of `paths`. */
function distances(
  paths: readonly string[],
  next: (path: string) => readonly string[] | undefined,
): Map<string, number> {
  const found = new Map(paths.map((path) => [path, 0]))
  // A map that grows while it is read also yields what is added: nearest files come first.
  for (const [path, steps] of found) {
    for (const one of next(path) ?? []) if (!found.has(one)) found.set(one, steps + 1)
  }
  return found
}
