import type { Document, Node, YAMLMap } from 'yaml'
import { isAlias, isMap, isScalar, isSeq, parseAllDocuments } from 'yaml'
import type { Path } from './tree.ts'
import { resolvePlain } from './yaml-scalar.ts'

/** A value of a file that is neither a mapping nor a list, with its place in the text. */
export interface YamlScalar {
  path: Path
  /** What it is as Compose reads it. */
  value: null | string | number | boolean
  /** Its text without quotes and escapes. */
  text: string
  /** The offsets at which it begins and ends, quotes included. */
  start: number
  end: number
}

/** An entry of the top mapping, with the offsets at which it and the next one begin. */
export interface TopEntry {
  key: string
  start: number
  end: number
}

/** The values of a file, in their order. */
export interface ReadScalars {
  scalars: YamlScalar[]
  entries: TopEntry[]
}

/** Why a file is not read, and the line, from 1. */
export interface UnreadYaml {
  problem: string
  line: number
}

const depthMax = 64
const nodesMax = 40_000

/**
 * Reads a plain file, for callers that replace values in its text: one document, whose top is a
 * block mapping, without anchors, aliases and tags. Returns why not for all else, for keys that are
 * no text or come twice, and for what is nested deeper than 64 levels or has more than 40,000
 * nodes. The size of the text is for the caller to check.
 */
export function readScalars(text: string): ReadScalars | UnreadYaml {
  const document = parseOne(text)
  if ('problem' in document) return document
  const { contents } = document
  if (!isMap(contents) || contents.flow === true) {
    return { problem: 'its top is no mapping', line: 1 }
  }
  const walk: Walk = { text, scalars: [], visited: 0 }
  const unread = visitMap(contents, [], walk)
  if (unread) return unread
  const entries = entriesOf(contents, text)
  if (!entries) return { problem: 'its keys are indented', line: 1 }
  return { scalars: walk.scalars, entries }
}

/**
 * Returns a function that returns the line of an offset, from 1. The text is read once, however
 * many offsets are asked for.
 */
export function lineFinder(text: string): (offset: number) => number {
  const starts: number[] = []
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

/** Returns the line of one offset, from 1. */
const lineAt = (text: string, offset: number): number => lineFinder(text)(offset)

function parseOne(text: string): Document | UnreadYaml {
  // As in `parseYaml`: `resolvePlain` gives plain scalars their values, and the library's check of
  // duplicate keys is quadratic.
  const options = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false } as const
  let documents: ReturnType<typeof parseAllDocuments>
  try {
    documents = parseAllDocuments(text, options)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { problem: tooDeep, line: 1 }
  }
  const [document, ...others] = Array.isArray(documents) ? documents : []
  if (!document) return { problem: 'it is empty', line: 1 }
  if (others.length > 0) return { problem: 'it has several documents', line: 1 }
  const [error] = document.errors
  if (error) return { problem: 'it is no valid YAML', line: lineAt(text, error.pos[0]) }
  return document as Document
}

const tooDeep = 'it is nested too deeply'

interface Walk {
  text: string
  scalars: YamlScalar[]
  visited: number
}

function visit(node: unknown, path: Path, walk: Walk): UnreadYaml | undefined {
  walk.visited += 1
  const unread = (problem: string) => ({ problem, line: lineAt(walk.text, startOf(node)) })
  if (walk.visited > nodesMax) return unread(`it has more than ${nodesMax} nodes`)
  if (path.length > depthMax) return unread(tooDeep)
  if (node === null || node === undefined) return undefined
  if (isMarked(node)) return unread('it has an anchor, an alias or a tag')
  if (isMap(node)) return visitMap(node, path, walk)
  if (isScalar(node)) walk.scalars.push(scalarOf(node as ScalarNode, path))
  if (!isSeq(node)) return undefined
  for (const [index, item] of node.items.entries()) {
    const inside = visit(item, [...path, index], walk)
    if (inside) return inside
  }
  return undefined
}

/** Returns whether a node is an alias, or has an anchor or a tag. */
function isMarked(node: unknown): boolean {
  const { anchor, tag } = node as { anchor?: string; tag?: string }
  return isAlias(node) || anchor !== undefined || tag !== undefined
}

function visitMap(map: YAMLMap, path: Path, walk: Walk): UnreadYaml | undefined {
  const keys = new Set<string>()
  for (const { key, value } of map.items) {
    const unread = (problem: string) => ({ problem, line: lineAt(walk.text, startOf(key)) })
    const name = keyOf(key)
    if (name === undefined) return unread('it has a key that is no text')
    if (keys.has(name)) return unread('it has a key twice')
    keys.add(name)
    const inside = visit(value, [...path, name], walk)
    if (inside) return inside
  }
  return undefined
}

/** Returns the text of a key, or undefined if it is none, such as `8080` without quotes. */
function keyOf(key: unknown): string | undefined {
  if (!isScalar(key) || isMarked(key)) return undefined
  const { value } = scalarOf(key as ScalarNode, [])
  return typeof value === 'string' && value !== '<<' ? value : undefined
}

interface ScalarNode {
  value: unknown
  type?: string
  range?: readonly number[] | null
}

function scalarOf({ value, type, range }: ScalarNode, path: Path): YamlScalar {
  const text = value === null || value === undefined ? '' : String(value)
  const isPlain = type === 'PLAIN' || type === undefined
  const [start = 0, end = 0] = range ?? []
  return { path, value: isPlain ? resolvePlain(text) : text, text, start, end }
}

/** Returns where each entry is, or undefined if a key does not begin its line. */
function entriesOf({ items }: YAMLMap, text: string): TopEntry[] | undefined {
  const starts = items.map(({ key }) => startOf(key))
  if (starts.some((start) => start > 0 && text[start - 1] !== '\n')) return undefined
  return items.map(({ key }, at) => ({
    key: keyOf(key) ?? '',
    start: starts[at] ?? 0,
    end: starts[at + 1] ?? text.length,
  }))
}

const startOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0
