import { posix } from 'node:path'
import type { FoundLink } from '../../../functions/core/records/host-engine.ts'
import { unlessMissing } from '../responses/errors.ts'
import type { EngineClient } from '../transport/client.ts'
import { inspectContainer } from './container.ts'

/** Describes a path in a container without following it if it is a symbolic link. */
export interface PathStat {
  kind: 'directory' | 'file' | 'link' | 'other'
  size: number
  /** A Go file mode: permissions in the lowest bits, file types in the highest. */
  mode: number
  /** RFC 3339. */
  mtime: string
  /** The target of a symbolic link, in the file system of the container. */
  linkTarget: string
}

/** Bits of Go's file modes. */
const bits = { directory: 0x8000_0000, link: 0x0800_0000, kinds: 0x8f28_0000 }

/**
 * Returns what a path in a container is, or undefined if the path or the container is missing. The
 * container need not run.
 */
export async function statPath(
  client: EngineClient,
  container: string,
  path: string,
): Promise<PathStat | undefined> {
  const head = await unlessMissing(
    client.stream({
      method: 'HEAD',
      path: `/containers/${container}/archive`,
      query: { path },
      deadline: 10_000,
    }),
  )
  if (!head) return undefined
  head.resume()
  const text = Buffer.from(String(head.headers['x-docker-container-path-stat']), 'base64')
  const stat = JSON.parse(text.toString())
  return { ...stat, kind: kindOf(stat.mode) }
}

function kindOf(mode: number): PathStat['kind'] {
  if ((mode & bits.directory) !== 0) return 'directory'
  if ((mode & bits.link) !== 0) return 'link'
  return (mode & bits.kinds) === 0 ? 'file' : 'other'
}

/**
 * Returns the directories above paths, each once and parents first: `a/b/c` gives `a` and `a/b`.
 */
export function directoriesAbove(paths: readonly string[]): string[] {
  return componentsOf(paths.map((path) => posix.dirname(path)))
}

/** Returns the paths and all directories above them, each once and parents first. */
export function componentsOf(paths: readonly string[]): string[] {
  const all = paths.flatMap((path) => {
    const names = path.split('/').filter((name) => name !== '' && name !== '.')
    return names.map((_, index) => names.slice(0, index + 1).join('/'))
  })
  return [...new Set(all)].sort((one, other) => one.length - other.length)
}

/** Concurrent calls. More would only wait: the Engine locks a container during each. */
const statsAtOnce = 8

/** A path that is not a directory, so nothing is read or written below it. */
export interface Obstacle {
  path: string
  /** The target of a link; undefined for a file. */
  target: string | undefined
}

/**
 * Returns the components that exist and are not directories, without those below one of them.
 *
 * @param components with each path the directories above it
 * @throws 404 if the container is gone, because nothing is known then
 */
export async function obstaclesAmong(
  client: EngineClient,
  container: string,
  base: string,
  components: readonly string[],
): Promise<Obstacle[]> {
  const found: Obstacle[] = []
  const closed = new Set<string>()
  let isMissing = false
  const checkOne = async (path: string) => {
    const stat = await statPath(client, container, posix.join(base, path))
    if (stat?.kind === 'directory') return
    closed.add(path)
    if (stat) found.push({ path, target: stat.kind === 'link' ? stat.linkTarget : undefined })
    else isMissing = true
  }
  for (const level of levelsOf(components)) {
    // The Engine fails for a path below a file.
    const isClosed = (path: string) => closed.has(posix.dirname(path))
    for (const path of level.filter(isClosed)) closed.add(path)
    const open = level.filter((path) => !isClosed(path))
    for (let at = 0; at < open.length; at += statsAtOnce) {
      await Promise.all(open.slice(at, at + statsAtOnce).map(checkOne))
    }
  }
  if (isMissing) await inspectContainer(client, container)
  return found.sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Returns paths by their depth, the outermost first. */
export function levelsOf(paths: readonly string[]): string[][] {
  const levels: string[][] = []
  for (const path of paths) {
    const depth = path.split('/').length - 1
    while (levels.length <= depth) levels.push([])
    levels[depth]?.push(path)
  }
  return levels
}

/**
 * Returns the components that are links, without those behind another link.
 *
 * @throws 404 if the container is gone, because nothing is known then
 */
export async function linksAmong(
  client: EngineClient,
  container: string,
  base: string,
  components: readonly string[],
): Promise<FoundLink[]> {
  const found = await obstaclesAmong(client, container, base, components)
  return found.flatMap(({ path, target }) => (target === undefined ? [] : [{ path, target }]))
}
