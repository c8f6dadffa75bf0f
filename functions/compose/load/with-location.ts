import type { Position, Problem } from '../yaml/problem.ts'
import type { Path, Tree } from '../yaml/tree.ts'
import { isMap } from '../yaml/tree.ts'
import type { YamlDocument } from '../yaml/yaml.ts'
import type { LoadContext } from './load-file.ts'
import { substitute, TemplateError } from './template.ts'

/** A position in a document, and how many parts of the path it covers. */
export interface Place extends Position {
  depth: number
  document: YamlDocument
}

/**
 * Returns the message of a problem with its position: that of the longest prefix of its path in any
 * file. If several files have the same prefix, the last one wins.
 */
export function withLocation(problem: Problem, context: LoadContext): string {
  const position = problem.position ?? placeOf(problem, context)
  if (!position) return problem.message
  const { file, line, column } = position
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  return `${place}: ${problem.message}`
}

/** Returns the place of a problem that has no position of its own. */
export function placeOf(
  { path, near }: Pick<Problem, 'path' | 'near'>,
  { read, variables }: Searched,
): Place | undefined {
  const meant =
    near === undefined ? undefined : entryPlace(path.slice(0, -1), near, { read, variables })
  return meant ?? pathPlace(near === undefined ? path : path.slice(0, -1), read)
}

type Searched = Pick<LoadContext, 'read' | 'variables'>

function pathPlace(path: Path, read: LoadContext['read']): Place | undefined {
  let best: Place | undefined
  for (const [file, documents] of read) {
    for (const document of documents) {
      const found = document.locate(path)
      if (found.depth >= (best?.depth ?? Math.min(path.length, 1))) {
        best = { file, document, ...found }
      }
    }
  }
  return best
}

/**
 * Returns the position of the last entry that holds a text, among the lists at a path in all files.
 */
function entryPlace(list: Path, near: string, context: Searched): Place | undefined {
  let best: Place | undefined
  for (const [file, documents] of context.read) {
    for (const document of documents) {
      const items = valueAt(document.value, list)
      if (!Array.isArray(items)) continue
      const index = items.findLastIndex((item) => holds(item, near, context))
      if (index >= 0) best = { file, document, ...document.locate([...list, index]) }
    }
  }
  return best
}

function valueAt(value: Tree, path: Path): Tree {
  let at = value
  for (const part of path) at = isMap(at) ? (at[part] ?? null) : null
  return at
}

function holds(item: Tree, near: string, context: Searched): boolean {
  if (isMap(item)) return Object.values(item).some((value) => holds(value, near, context))
  if (item === null || Array.isArray(item)) return false
  const text = substituted(String(item), context)
  return text === near || text.startsWith(`${near}:`) || text.split(':').includes(near)
}

function substituted(text: string, context: Searched): string {
  try {
    return substitute(text, (name) => context.variables.get(name))
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return text
  }
}
