import { LineCounter, parseAllDocuments } from 'yaml'
import { attempt, Problem, type Report, raise } from './problem.ts'
import { syntaxProblems } from './syntax-problems.ts'
import type { Path, Tree, TreeMap } from './tree.ts'
import { type Aliases, bindAliases } from './yaml-aliases.ts'
import { construct, type TagMark } from './yaml-construct.ts'
import { locate } from './yaml-locate.ts'

/** The maximum size of a compose file, in UTF-8 bytes. */
export const fileBytesMax = 1024 * 1024

/**
 * One document of a file: its value, the paths tagged `!reset` or `!override`, and the positions of
 * its parts.
 */
export interface YamlDocument {
  value: Tree
  tags: TagMark[]
  /**
   * Returns the position of the longest prefix of the path in this document, and how many parts of
   * the path it covers.
   */
  locate(path: Path): { line: number; column: number; depth: number }
}

/**
 * Parses a compose file as the Compose tools do. Anchors and merge keys are resolved. Duplicate and
 * non-string keys are rejected, and so are files that exceed the limits on size, depth and number
 * of nodes. An empty file has no documents. With a `report` that keeps problems, documents that
 * have some are left out.
 *
 * @throws Problem with a position
 */
export function parseYaml(text: string, file: string, report: Report = raise): YamlDocument[] {
  if (new TextEncoder().encode(text).length > fileBytesMax) {
    throw new Problem('yaml', 'the file is larger than 1 MiB', { position: { file } })
  }
  const lines = new LineCounter()
  const documents = parseDocuments(text, file, lines, report)
  const where = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  return documents
    .filter((document) => document.contents !== null)
    .flatMap((document) => {
      const read = () => [readDocument(document.contents, { where, text, report })]
      return attempt(read, report, [])
    })
}

interface Source {
  text: string
  where: (offset: number) => { file: string; line: number; column: number }
  report: Report
}

function readDocument(contents: unknown, { where, text, report }: Source): YamlDocument {
  const aliases: Aliases = text.includes('*') ? bindAliases(contents, where) : new Map()
  const { value, tags } = construct(contents, { aliases, where, text, report })
  return {
    value,
    tags,
    locate: (path) => {
      const { offset, depth } = locate(contents, aliases, path)
      const { line, column } = where(offset)
      return { line, column, depth }
    },
  }
}

/**
 * Returns the value of a document, which must be a mapping.
 *
 * @throws Problem if it is not a mapping
 */
export function topMapping(document: YamlDocument, file: string): TreeMap {
  const { value } = document
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  const position = { file, ...document.locate([]) }
  throw new Problem('semantic', 'the top level must be a mapping', { position })
}

function parseDocuments(text: string, file: string, lineCounter: LineCounter, report: Report) {
  // With this schema every scalar is a string; `resolvePlain` gives plain scalars their values
  // later. Duplicate keys are checked later too, because the library's check is quadratic in the
  // number of keys.
  const options = {
    schema: 'failsafe',
    uniqueKeys: false,
    lineCounter,
    prettyErrors: false,
  } as const
  let documents: ReturnType<typeof parseAllDocuments>
  try {
    documents = parseAllDocuments(text, options)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Problem('yaml', 'the file is nested too deeply', { position: { file } })
  }
  if (!Array.isArray(documents)) return []
  const errors = documents.flatMap(({ errors }) => errors)
  for (const { offset, detail } of syntaxProblems(errors, text)) {
    const { line, col } = lineCounter.linePos(offset)
    const position = { file, line: line || 1, column: col || 1 }
    report(new Problem('yaml', detail, { position }))
  }
  return documents.filter(({ errors }) => errors.length === 0)
}
