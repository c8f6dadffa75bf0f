import { circlesIn, type Graph } from './circles.ts'
import { importsOf } from './imports.ts'
import { isTest, type Source } from './source.ts'

/** Members of one folder that import each other: its subfolders, and files directly in it. */
export interface FolderCircle {
  folder: string
  /** Their names, so that few imports lead from one to an earlier one. */
  members: string[]
  /** The imports that lead from a member to an earlier one: without them there is no circle. */
  closing: string[]
}

interface Arrow {
  from: string
  to: string
  text: string
}

/**
 * Returns the circles of folders at every level, imports of types included. A file stands for
 * itself in its own folder, and for the subfolder that it is below in each folder above. Tests do
 * not count.
 */
export function folderCircles(sources: Source[]): FolderCircle[] {
  return [...arrowsByFolder(sources.filter(({ path }) => !isTest(path)))]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([folder, arrows]) =>
      circlesIn(graphOf(arrows)).map((circle) => {
        const inside = arrows.filter(({ from, to }) => circle.includes(from) && circle.includes(to))
        const members = ordered(circle, inside)
        return { folder, members, closing: leadingBack(members, inside).map(({ text }) => text) }
      }),
    )
}

/** Returns one line for each circle that is not known, and for each known one that is gone. */
export function unknownFolderCircles(sources: Source[], known: string[]): string[] {
  const found = folderCircles(sources)
  const names = found.map(nameOfCircle)
  return [
    ...found
      .filter((_, index) => !known.includes(names[index] ?? ''))
      .map((one) => `${nameOfCircle(one)}, closed by ${one.closing.join('; ')}`),
    ...known.filter((name) => !names.includes(name)).map((name) => `${name} is gone`),
  ]
}

/** Returns what a list of known circles calls a circle. */
export const nameOfCircle = ({ folder, members }: FolderCircle) =>
  `${folder}: ${members.toSorted().join(' ')}`

/** Returns the imports between the members of each folder. */
function arrowsByFolder(sources: Source[]): Map<string, Arrow[]> {
  const paths = new Set(sources.map(({ path }) => path))
  const found = new Map<string, Arrow[]>()
  for (const source of sources) {
    for (const { target } of importsOf(source)) {
      if (target === source.path || !paths.has(target)) continue
      const [from, to] = [source.path.split('/'), target.split('/')]
      const depth = from.findIndex((name, index) => name !== to[index])
      const folder = from.slice(0, depth).join('/') || '.'
      const text = `${source.path} → ${target}`
      const arrow = { from: from[depth] ?? '', to: to[depth] ?? '', text }
      found.set(folder, [...(found.get(folder) ?? []), arrow])
    }
  }
  return found
}

function graphOf(arrows: Arrow[]): Graph {
  const nodes = new Set(arrows.flatMap(({ from, to }) => [from, to]))
  const graph = new Map([...nodes].map((node) => [node, new Set<string>()]))
  for (const { from, to } of arrows) graph.get(from)?.add(to)
  return graph
}

/** Moves one member at a time for as long as fewer imports then lead back. */
function ordered(circle: string[], arrows: Arrow[]): string[] {
  let best = circle
  for (let improved = true; improved; ) {
    improved = false
    for (const member of circle) {
      const others = best.filter((one) => one !== member)
      for (let place = 0; place <= others.length; place += 1) {
        const tried = others.toSpliced(place, 0, member)
        if (leadingBack(tried, arrows).length >= leadingBack(best, arrows).length) continue
        best = tried
        improved = true
      }
    }
  }
  return best
}

function leadingBack(members: string[], arrows: Arrow[]): Arrow[] {
  const places = new Map(members.map((member, place) => [member, place]))
  return arrows.filter(({ from, to }) => (places.get(to) ?? 0) < (places.get(from) ?? 0))
}
