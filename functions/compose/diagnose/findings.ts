import type { LoadContext } from '../load/load-file.ts'
import type { Placeholders } from '../load/placeholders.ts'
import { type Place, placeOf } from '../load/with-location.ts'
import type { Problem } from '../yaml/problem.ts'
import { isMap, type Path, pathText, type Tree } from '../yaml/tree.ts'
import type { YamlDocument } from '../yaml/yaml.ts'
import type { Diagnostic } from './diagnosis.ts'
import { valueAt } from './repaired-document.ts'
import type { Repairs } from './repairs.ts'

/** Characters of a message. A message can quote a value of the file. */
const messageMax = 1000
/** Findings of one severity: more than are returned. It bounds what hostile files cost. */
export const findingsMax = 400

/** Collects what is found in all loads of the files, each finding once. */
export class Findings {
  readonly found = new Map<string, Diagnostic>()
  readonly counts = { error: 0, warning: 0 }
  readonly #repairs: Repairs
  readonly #mainFile: string
  readonly #hidden: Placeholders | undefined

  constructor(repairs: Repairs, mainFile: string, hidden: Placeholders | undefined) {
    this.#repairs = repairs
    this.#mainFile = mainFile
    this.#hidden = hidden
  }

  /**
   * Adds a problem, unless it follows from one found before, or cannot be told without values that
   * are hidden. Returns its place in the documents, if it has one.
   */
  add(problem: Problem, severity: Diagnostic['severity'], context: LoadContext) {
    if (this.counts[severity] >= findingsMax) return undefined
    const place = problem.position ? undefined : placeOf(problem, context)
    if (this.#repairs.explains(problem, place) || this.#isOpen(problem, place)) return place
    const document = place && this.#repairs.documentOf(place)
    const { path, detail } = problem
    const full: Path =
      document && place
        ? [...document.inFile(path.slice(0, place.depth)), ...path.slice(place.depth)]
        : path
    const message = full.length > 0 ? `${pathText(full)}: ${detail}` : detail
    // Several rules of the policy can find the same attribute: the first says what it is.
    const about = problem.kind === 'policy' ? `policy ${pathText(full)}` : detail
    this.#put(problem.position ?? place, severity, message, about)
    return place
  }

  /** Adds a warning about a path, in a document if it is known. */
  warn(message: string, path: Path, document: YamlDocument | undefined, context: LoadContext) {
    if (this.counts.warning >= findingsMax) return
    const file = document && [...context.read].find(([, all]) => all.includes(document))?.[0]
    const place =
      document && file !== undefined
        ? { file, ...document.locate(path) }
        : placeOf({ path, near: undefined }, context)
    if (!this.#hidden?.isIn(message)) this.#put(place, 'warning', message, message)
  }

  #put(
    place: { file: string; line?: number; column?: number } | undefined,
    severity: Diagnostic['severity'],
    message: string,
    about: string,
  ): void {
    const { file = this.#mainFile, line = 1, column = 1 } = place ?? {}
    // An anchor that is used several times has its problem once.
    const key = JSON.stringify([file, line, column, about])
    if (this.found.has(key)) return
    this.counts[severity] += 1
    const text = message.length > messageMax ? `${message.slice(0, messageMax)}…` : message
    this.found.set(key, { path: file, line, column, severity, message: text })
  }

  /** Returns whether a problem depends on a hidden value, so that it may be none. */
  #isOpen({ detail, path, kind }: Problem, place: Place | undefined): boolean {
    const hidden = this.#hidden
    if (!hidden || kind === 'hidden') return false
    if (hidden.isIn(detail) || path.some((part) => hidden.isIn(String(part)))) return true
    // A whole service is not open because one of its values is.
    if (!place || place.depth < 3) return false
    const value = valueAt(place.document.value, path.slice(0, place.depth))
    return value !== undefined && mentions(value, hidden)
  }
}

/** Returns whether a text of a file, before its variables are substituted, has a hidden one. */
function mentions(value: Tree, hidden: Placeholders): boolean {
  if (typeof value === 'string') {
    return [...value.matchAll(/\$\{?([A-Za-z_]\w*)/g)].some(([, name]) =>
      hidden.hides(`\${${name}}`),
    )
  }
  if (Array.isArray(value)) return value.some((item) => mentions(item, hidden))
  return isMap(value) && Object.values(value).some((item) => mentions(item, hidden))
}
