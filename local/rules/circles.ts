import { importsOf } from './imports.ts'
import type { Source } from './source.ts'

export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Returns the circles of files that import each other, types included: for each the paths of its
 * files, sorted.
 */
export function circlesOf(sources: Source[]): string[][] {
  return circlesIn(graphOf(sources))
}

/** Returns the circles of a graph whose nodes all are keys of it: for each its nodes, sorted. */
export function circlesIn(whole: Graph): string[][] {
  const graph = withoutEnds(whole)
  const reached = new Map([...graph.keys()].map((path) => [path, reachableFrom(path, graph)]))
  const mutual = (one: string, other: string) =>
    Boolean(reached.get(one)?.has(other) && reached.get(other)?.has(one))
  const circles: string[][] = []
  for (const path of [...graph.keys()].sort()) {
    const known = circles.find(([first = '']) => mutual(first, path))
    if (known) known.push(path)
    else if (mutual(path, path)) circles.push([path])
  }
  return circles
}

function graphOf(sources: Source[]): Graph {
  const paths = new Set(sources.map(({ path }) => path))
  return new Map(
    sources.map((source) => {
      const targets = importsOf(source).map(({ target }) => target)
      return [source.path, new Set(targets.filter((target) => paths.has(target)))]
    }),
  )
}

/** Removes the nodes that have no arrow in or no arrow out, until none are left. */
function withoutEnds(graph: Graph): Graph {
  const imported = new Set([...graph.values()].flatMap((targets) => [...targets]))
  const kept = [...graph].filter(([path, targets]) => imported.has(path) && targets.size > 0)
  if (kept.length === graph.size) return graph
  const paths = new Set(kept.map(([path]) => path))
  return withoutEnds(
    new Map(
      kept.map(([path, targets]) => [path, new Set([...targets].filter((one) => paths.has(one)))]),
    ),
  )
}

function reachableFrom(path: string, graph: Graph): Set<string> {
  const found = new Set<string>()
  const open = [path]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const target of graph.get(next) ?? []) {
      if (found.has(target)) continue
      found.add(target)
      open.push(target)
    }
  }
  return found
}
