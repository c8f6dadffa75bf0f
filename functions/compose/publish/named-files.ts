import type { Node, Scalar } from 'yaml'
import { isAlias, isMap, isScalar, isSeq, parseAllDocuments, type YAMLMap } from 'yaml'
import { unprocessable } from '../errors.ts'
import { type Aliases, bindAliases } from '../yaml/yaml-aliases.ts'
import { isMergeKey } from '../yaml/yaml-construct.ts'

/** A place in a compose file that names another file. */
export interface NamedFile {
  use: 'variables' | 'extends'
  /** The path as it is written. */
  path: string
  /** The range of the value in the text. */
  start: number
  end: number
}

/** What a compose file names: the files of its services, and whether it includes others. */
export interface NamedFiles {
  named: NamedFile[]
  includes: boolean
}

/** Returns the files that the services of a compose file name. The file must have been loaded. */
export function namedFiles(text: string): NamedFiles {
  const options = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false } as const
  const documents = parseAllDocuments(text, options)
  const found = new Map<number, NamedFile>()
  let includes = false
  for (const { contents } of Array.isArray(documents) ? documents : []) {
    const reader = new Reader(
      bindAliases(contents, (offset) => ({ file: '', line: offset, column: 1 })),
    )
    includes ||= reader.at(contents, 'include') !== undefined
    for (const service of reader.children(reader.at(contents, 'services'))) {
      for (const one of reader.filesOf(service)) found.set(one.start, one)
    }
  }
  return { named: [...found.values()].sort((one, other) => one.start - other.start), includes }
}

/** Reads the nodes of a document, with aliases and merge keys followed. */
class Reader {
  readonly #aliases: Aliases

  constructor(aliases: Aliases) {
    this.#aliases = aliases
  }

  /** Returns the value of a key: its own, or the first that is merged in. */
  at(node: unknown, key: string): unknown {
    const map = this.#map(node)
    if (!map) return undefined
    const own = map.items.find((pair) => isScalar(pair.key) && pair.key.value === key)
    if (own) return own.value ?? undefined
    for (const merged of this.#merged(map)) {
      const value = this.at(merged, key)
      if (value !== undefined) return value
    }
    return undefined
  }

  /** Returns the values of a mapping, those that are merged in too. */
  children(node: unknown): unknown[] {
    const map = this.#map(node)
    if (!map) return []
    const own = map.items.filter((pair) => !isMergeKey(pair.key)).map(({ value }) => value)
    return [...own, ...this.#merged(map).flatMap((one) => this.children(one))]
  }

  *filesOf(service: unknown): Generator<NamedFile> {
    const variables = this.#target(this.at(service, 'env_file'))
    const listed = isSeq(variables) ? variables.items : [this.at(service, 'env_file')]
    for (const one of listed) {
      const isLong = this.#map(one) !== undefined
      yield* this.#named('variables', isLong ? this.at(one, 'path') : one)
    }
    const base = this.at(service, 'extends')
    if (this.#map(base)) yield* this.#named('extends', this.at(base, 'file'))
  }

  *#named(use: NamedFile['use'], node: unknown): Generator<NamedFile> {
    const scalar = this.#target(node)
    if (!isScalar(scalar) || typeof scalar.value !== 'string' || scalar.value === '') return
    const { value: path } = scalar as Scalar<string>
    if (path.includes('$')) {
      const what = use === 'variables' ? 'env_file' : 'extends'
      throw unprocessable(
        `${what} ${path}: a path with a variable cannot be published: write the path itself`,
      )
    }
    const [start, end] = (node as Node).range ?? [0, 0]
    yield { use, path, start, end }
  }

  #target = (node: unknown): unknown => (isAlias(node) ? this.#aliases.get(node) : node)

  #map(node: unknown): YAMLMap | undefined {
    const target = this.#target(node)
    return isMap(target) ? target : undefined
  }

  #merged(map: YAMLMap): unknown[] {
    return map.items
      .filter((pair) => isMergeKey(pair.key))
      .flatMap(({ value }) => {
        const target = this.#target(value)
        return isSeq(target) ? target.items : [value]
      })
  }
}
