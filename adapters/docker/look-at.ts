import { posix } from 'node:path'
import type { FoundLink } from '../../functions/core/engine/engine.ts'
import type { EngineClient } from './client.ts'
import { inspectContainer } from './containers.ts'
import { unlessMissing } from './errors.ts'

/** Describes a path in a container without following it if it is a symbolic link. */
export interface Look {
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
export async function lookAt(
  client: EngineClient,
  container: string,
  path: string,
): Promise<Look | undefined> {
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

function kindOf(mode: number): Look['kind'] {
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
const looksAtOnce = 8

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
  const found: FoundLink[] = []
  let missing = false
  for (let at = 0; at < components.length; at += looksAtOnce) {
    const some = components.slice(at, at + looksAtOnce)
    const looks = await Promise.all(
      some.map(
        async (path) => [path, await lookAt(client, container, posix.join(base, path))] as const,
      ),
    )
    for (const [path, look] of looks) {
      if (!look) missing = true
      if (look?.kind === 'link') found.push({ path, target: look.linkTarget })
    }
  }
  if (missing) await inspectContainer(client, container)
  return found.filter(({ path }) => !found.some((other) => path.startsWith(`${other.path}/`)))
}
