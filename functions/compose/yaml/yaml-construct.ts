import type { Node, Pair, YAMLMap } from 'yaml'
import { isAlias, isMap as isMapNode, isPair, isScalar, isSeq } from 'yaml'
import { blockText } from './final-newline.ts'
import type { Position } from './problem.ts'
import { attempt, Problem, type Report } from './problem.ts'
import type { Path, Tree, TreeMap } from './tree.ts'
import { emptyMap } from './tree.ts'
import type { Aliases } from './yaml-aliases.ts'
import { resolvePlain } from './yaml-scalar.ts'

/** A path tagged `!reset` or `!override`. The value of earlier files at this path is dropped. */
export interface TagMark {
  path: Path
  tag: '!reset' | '!override'
}

/** The maximum number of nodes of a document. Each use of an alias counts its nodes again. */
export const nodesMax = 300_000
const depthMax = 500

interface Construction {
  aliases: Aliases
  where: (offset: number) => Position
  /** The whole file. */
  text: string
  report: Report
  tags: TagMark[]
  /** Nodes under construction. An alias to one of them would recurse forever. */
  open: Set<unknown>
  visited: number
  depth: number
}

/** Stands for a node with the tag `!reset`, which has no value. */
const resetValue = Symbol('reset')

/**
 * Returns the value of a document's root and the tags in it.
 *
 * @throws Problem of the kind `yaml`
 */
export function construct(
  root: unknown,
  { aliases, where, text, report }: Pick<Construction, 'aliases' | 'where' | 'text' | 'report'>,
) {
  const work: Construction = {
    aliases,
    where,
    text,
    report,
    tags: [],
    open: new Set(),
    visited: 0,
    depth: 0,
  }
  const value = visit(root, [], work)
  return { value: value === resetValue ? null : value, tags: work.tags }
}

function visit(
  node: unknown,
  parent: Path,
  work: Construction,
  part?: string | number,
): Tree | typeof resetValue {
  work.visited += 1
  if (work.visited > nodesMax)
    fail(node, 'the document has more than 300 000 nodes, including aliases', work)
  if (isAlias(node)) return visit(work.aliases.get(node), parent, work, part)
  const path = () => (part === undefined ? parent : [...parent, part])
  const tag = (node as Node | null)?.tag
  if (tag === '!reset' || tag === '!override') work.tags.push({ path: path(), tag })
  if (tag === '!reset') return resetValue
  if (isScalar(node)) return scalarValue(node as ScalarNode, work.text)
  if (node === null || node === undefined) return null
  if (work.open.has(node)) fail(node, 'an alias refers to a node that contains it', work)
  if (work.depth >= depthMax) fail(node, 'the document is nested too deeply', work)
  work.open.add(node)
  work.depth += 1
  const value = isMapNode(node) ? mapValue(node, path(), work) : listValue(node, path(), work)
  work.depth -= 1
  work.open.delete(node)
  return value
}

interface ScalarNode {
  value: unknown
  type?: string
  tag?: string
  range?: readonly number[] | null
}

function scalarValue(node: ScalarNode, file: string): Tree {
  const text = node.value === null || node.value === undefined ? '' : blockText(node, file)
  if (node.tag === 'tag:yaml.org,2002:str') return text
  const plain = node.type === 'PLAIN' || node.type === undefined
  return plain ? resolvePlain(text) : text
}

function listValue(node: unknown, path: Path, work: Construction): Tree[] {
  if (!isSeq(node)) fail(node, 'expected a mapping, a list or a value', work)
  const list: Tree[] = []
  for (const item of node.items) {
    const value = isPair(item)
      ? fail(item.key, 'expected a mapping', work)
      : visit(item, path, work, list.length)
    if (value !== resetValue) list.push(value)
  }
  return list
}

function mapValue(node: YAMLMap, path: Path, work: Construction): TreeMap {
  const map = emptyMap()
  const firstAt = new Map<string, unknown>()
  const merges: Pair[] = []
  for (const pair of node.items) {
    if (isMergeKey(pair.key)) {
      merges.push(pair)
      continue
    }
    work.visited += 1
    const key = attempt(() => keyText(pair.key, path, work), work.report, undefined)
    if (key === undefined) continue
    const first = firstAt.get(key)
    if (first) {
      const { line } = work.where(offsetOf(first))
      const detail = `mapping key "${key}" is already defined in line ${line}`
      work.report(new Problem('yaml', detail, { position: work.where(offsetOf(pair.key)) }))
      continue
    }
    firstAt.set(key, pair.key)
    const value = visit(pair.value, path, work, key)
    if (value !== resetValue) map[key] = value
  }
  if (merges.length > 1) fail(merges[1]?.key, 'mapping key "<<" is already defined', work)
  for (const pair of merges) mergeInto(map, firstAt, pair.value, path, work)
  return map
}

/**
 * Adds the keys of a merge key. The mapping's own keys take precedence, then those of earlier
 * mappings in the list.
 */
function mergeInto(
  map: TreeMap,
  definedKeys: Map<string, unknown>,
  source: unknown,
  path: Path,
  work: Construction,
): void {
  const node = isAlias(source) ? work.aliases.get(source) : source
  if (isSeq(node)) {
    for (const item of node.items) mergeInto(map, definedKeys, item, path, work)
    return
  }
  if (!isMapNode(node)) fail(source, 'a merge key needs a mapping or a list of mappings', work)
  const before = work.tags.length
  const merged = visit(node, path, work)
  const keep = (mark: TagMark) => !definedKeys.has(String(mark.path[path.length]))
  work.tags.push(...work.tags.splice(before).filter(keep))
  for (const key of keysOf(node, path, work)) definedKeys.set(key, node)
  if (merged === resetValue) return
  for (const [key, value] of Object.entries(merged as TreeMap)) {
    if (!Object.hasOwn(map, key)) map[key] = value
    definedKeys.set(key, node)
  }
}

function keysOf(node: YAMLMap, path: Path, work: Construction): string[] {
  return node.items
    .filter((pair) => !isMergeKey(pair.key))
    .map((pair) => keyText(pair.key, path, work))
}

function keyText(node: unknown, path: Path, work: Construction): string {
  const target = isAlias(node) ? work.aliases.get(node) : node
  const value = isScalar(target) ? scalarValue(target as ScalarNode, work.text) : undefined
  if (typeof value !== 'string') {
    const shown = isScalar(target) ? String(target.value) : 'a collection'
    throw new Problem('semantic', `a key must be a string, this is not: ${shown}`, {
      path,
      position: work.where(offsetOf(node)),
    })
  }
  if (value === '__proto__') fail(node, 'a key must not be "__proto__"', work)
  return value
}

/** Returns whether a key is a plain `<<`. */
export function isMergeKey(node: unknown): boolean {
  return isScalar(node) && node.value === '<<' && (node.type === undefined || node.type === 'PLAIN')
}

const offsetOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0

function fail(node: unknown, detail: string, work: Construction): never {
  throw new Problem('yaml', detail, { position: work.where(offsetOf(node)) })
}
