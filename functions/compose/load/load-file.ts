import { Problem, type Report } from '../yaml/problem.ts'
import type { Path, TreeMap } from '../yaml/tree.ts'
import { isMap } from '../yaml/tree.ts'
import { parseYaml, topMapping, type YamlDocument } from '../yaml/yaml.ts'
import type { TagMark } from '../yaml/yaml-construct.ts'
import { interpolate } from './interpolate.ts'
import type { Placeholders } from './placeholders.ts'
import type { StackFiles } from './stack-files.ts'
import { shownPath } from './stack-files.ts'
import type { Lookup } from './template.ts'

/** The state shared by all files of one load, or of one include. */
export interface LoadContext {
  files: StackFiles
  /**
   * The directory that relative paths start from: the project's or the include's. Absolute, on the
   * host.
   */
  workingDirectory: string
  /** The meaning of `~`, if known. */
  home: string | undefined
  /** The variables to substitute. */
  variables: ReadonlyMap<string, string>
  /** Takes a warning, and the path that it is about. `document` is the one that has the path. */
  warn(message: string, path: Path, document?: YamlDocument): void
  report: Report
  /** Ends the load if problems were reported that later stages would stumble over. */
  stopOnProblems(): void
  /** Set if the caller may not see all values. */
  hidden: Placeholders | undefined
  /**
   * The documents of every file read, by displayed path, to look up the position of a problem.
   * Variable files of an include are listed too, without documents.
   */
  read: Map<string, YamlDocument[]>
  /**
   * A cache of parsed documents shared by all loads of these files. Each load looks up positions
   * only in its own `read`.
   */
  parsed: Map<string, YamlDocument[]>
  stages: Stages
  /** The active profiles. Known once `.env` is read. */
  profiles: readonly string[]
  /** See `findSecretFiles`. Known at the end of the load. */
  secretFiles: string[]
  /** Names of the external volumes, with those that no service uses. Known once they are named. */
  externalVolumes: readonly string[]
  /** What the policy refuses without `stacks:privileged`, if the input asks for a list of it. */
  privileged: Problem[]
}

/** Stages that a caller can skip. A deploy runs all of them. */
export interface Stages {
  consistency: boolean
  normalize: boolean
  resolvePaths: boolean
}

/** A document of a compose file after interpolation. */
export interface FileDocument {
  tree: TreeMap
  tags: TagMark[]
}

/**
 * Returns the documents of a compose file, interpolated one by one. `file` is an absolute path.
 *
 * @throws Problem
 */
export function documentsOf(text: string, file: string, context: LoadContext): FileDocument[] {
  const shown = shownPath(context.files, file)
  return parseOnce(text, shown, context).map((document) => {
    const lookup: Lookup = (name) => context.variables.get(name)
    const tree = interpolate(topMapping(document, shown), {
      lookup,
      warn: (message, path) => context.warn(message, path, document),
      report: context.report,
      hidden: context.hidden,
    })
    context.stopOnProblems()
    if (!isMap(tree)) throw new Problem('semantic', 'the top level must be a mapping')
    return { tree, tags: document.tags }
  })
}

/** Returns the documents of a file, parsed on first use. `shown` is its path in messages. */
export function parseOnce(text: string, shown: string, context: LoadContext): YamlDocument[] {
  const documents = context.parsed.get(shown) ?? parseYaml(text, shown, context.report)
  context.parsed.set(shown, documents)
  context.read.set(shown, documents)
  context.stopOnProblems()
  return documents
}
