import type { Problem } from '../yaml/problem.ts'
import type { Path, Tree } from '../yaml/tree.ts'
import { isMap } from '../yaml/tree.ts'
import type { LoadContext } from './load-file.ts'
import { substitute } from './template.ts'

interface Place {
  file: string
  line: number
  column: number
  depth: number
}

/**
 * Returns the message of a problem with its position: that of the longest prefix of its path in any
 * file. If several files have the same prefix, the last one wins.
 */
export function located(problem: Problem, context: LoadContext): string {
  const { position, path, near, message } = problem
  if (position) {
    const { file, line, column } = position
    return `${[file, line, column].filter((part) => part !== undefined).join(':')}: ${message}`
  }
  const meant = near === undefined ? undefined : entryPlace(path.slice(0, -1), near, context)
  const place = meant ?? pathPlace(near === undefined ? path : path.slice(0, -1), context)
  return place ? `${place.file}:${place.line}:${place.column}: ${message}` : message
}

function pathPlace(path: Path, context: LoadContext): Place | undefined {
  let best: Place | undefined
  for (const [file, documents] of context.read) {
    for (const found of documents.map((document) => document.locate(path))) {
      if (found.depth >= (best?.depth ?? Math.min(path.length, 1))) best = { file, ...found }
    }
  }
  return best
}

/**
 * Returns the position of the last entry that holds a text, among the lists at a path in all files.
 */
function entryPlace(list: Path, near: string, context: LoadContext): Place | undefined {
  let best: Place | undefined
  for (const [file, documents] of context.read) {
    for (const document of documents) {
      const items = valueAt(document.value, list)
      if (!Array.isArray(items)) continue
      const index = items.findLastIndex((item) => holds(item, near, context))
      if (index >= 0) best = { file, ...document.locate([...list, index]) }
    }
  }
  return best
}

function valueAt(value: Tree, path: Path): Tree {
  let at = value
  for (const part of path) at = isMap(at) ? (at[part] ?? null) : null
  return at
}

function holds(item: Tree, near: string, context: LoadContext): boolean {
  if (isMap(item)) return Object.values(item).some((value) => holds(value, near, context))
  if (item === null || Array.isArray(item)) return false
  const text = substituted(String(item), context)
  return text === near || text.startsWith(`${near}:`) || text.split(':').includes(near)
}

function substituted(text: string, context: LoadContext): string {
  try {
    return substitute(text, (name) => context.variables.get(name))
  } catch {
    return text
  }
}
