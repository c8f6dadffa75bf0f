import { posix } from 'node:path'
import type { FoundLink } from '../../functions/core/engine/engine.ts'
import type { EngineClient } from './client.ts'
import { inspectContainer } from './containers.ts'
import { unlessMissing } from './errors.ts'

/** What the Engine says of one path in a container, without following it when it is a link. */
export interface Look {
  kind: 'directory' | 'file' | 'link' | 'other'
  size: number
  /** As Go has it: permissions in the lowest bits, kinds of files in the highest. */
  mode: number
  /** RFC 3339. */
  mtime: string
  /** Where a link leads, as far as the container's own files go. */
  linkTarget: string
}

/** Bits of Go's file modes. */
const bits = { directory: 0x8000_0000, link: 0x0800_0000, kinds: 0x8f28_0000 }

/** Looks at a path in a container, which need not run. Returns undefined if either is missing. */
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
      deadline: 30_000,
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

/** The directories that lead to paths, each once and before those inside it: `a/b/c` gives `a` and `a/b`. */
export function directoriesAbove(paths: readonly string[]): string[] {
  return componentsOf(paths.map((path) => posix.dirname(path)))
}

/** The paths and all directories that lead to them, each once and before what is inside it. */
export function componentsOf(paths: readonly string[]): string[] {
  const all = paths.flatMap((path) => {
    const names = path.split('/').filter((name) => name !== '' && name !== '.')
    return names.map((_, index) => names.slice(0, index + 1).join('/'))
  })
  return [...new Set(all)].sort((one, other) => one.length - other.length)
}

/** More calls at a time would only wait for each other: the Engine locks a container while it looks into it. */
const looksAtOnce = 8

/**
 * Returns those of the components that are links, without what lies behind one. Throws a `Failure` 404 if the container is
 * gone: then nothing is known.
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
