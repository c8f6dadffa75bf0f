import { Problem } from '../yaml/problem.ts'
import type { TreeMap } from '../yaml/tree.ts'
import { isMap } from '../yaml/tree.ts'
import { parseYaml, topMapping, type YamlDocument } from '../yaml/yaml.ts'
import type { TagMark } from '../yaml/yaml-construct.ts'
import { interpolate } from './interpolate.ts'
import type { StackFiles } from './stack-files.ts'
import { shownPath } from './stack-files.ts'
import type { Lookup } from './template.ts'

/** What every file of one load, or of one include, is read with. */
export interface LoadContext {
  files: StackFiles
  /** Where relative paths begin: the project's directory, or an include's. Absolute, on the host. */
  workingDirectory: string
  /** What `~` stands for, when that is known. */
  home: string | undefined
  /** The variables for interpolation. */
  variables: ReadonlyMap<string, string>
  warn(message: string): void
  /**
   * The documents of every file that was read, by the path shown, to look up the position of a
   * problem. Variable files of an include are here too, without documents.
   */
  read: Map<string, YamlDocument[]>
  /** The same of every load of these files, of which each looks for positions in its own only. */
  parsed: Map<string, YamlDocument[]>
  stages: Stages
}

/** Stages that a caller may leave out; all run in a deploy. */
export interface Stages {
  consistency: boolean
  normalize: boolean
  resolvePaths: boolean
}

/** A document of a compose file, interpolated. */
export interface FileDocument {
  tree: TreeMap
  tags: TagMark[]
}

/** The documents of a compose file under an absolute path, interpolated one after the other. Throws a `Problem`. */
export function documentsOf(text: string, file: string, context: LoadContext): FileDocument[] {
  const shown = shownPath(context.files, file)
  return parseOnce(text, shown, context).map((document) => {
    const lookup: Lookup = (name) => context.variables.get(name)
    const tree = interpolate(topMapping(document, shown), lookup, context.warn)
    if (!isMap(tree)) throw new Problem('semantic', 'the top level must be a mapping')
    return { tree, tags: document.tags }
  })
}

/** The documents of a file, which is parsed the first time that it is asked for. `shown` is its path in messages. */
export function parseOnce(text: string, shown: string, context: LoadContext): YamlDocument[] {
  const documents = context.parsed.get(shown) ?? parseYaml(text, shown)
  context.parsed.set(shown, documents)
  context.read.set(shown, documents)
  return documents
}
