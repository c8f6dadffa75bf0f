import { createHash } from 'node:crypto'
import { conflict } from '../../../functions/core/errors.ts'
import type {
  FoundLink,
  HostEntry,
  HostFile,
  HostLink,
  HostPathKind,
} from '../../../functions/core/records/host-engine.ts'
import { parentsOf } from '../../../functions/core/stacks/file-path.ts'
import { checkedHostPath } from '../../../functions/core/stacks/host-path.ts'
import type { EngineState } from './engine-state.ts'

/** Returns the first symbolic link of each path below a directory, which may be the path itself. */
export function findLinks(
  { links }: EngineState,
  directory: string,
  paths: readonly string[],
): FoundLink[] {
  const found = new Map<string, FoundLink>()
  for (const path of paths) {
    const names = path.split('/').filter((name) => name !== '')
    const components = names.map((_, index) => names.slice(0, index + 1).join('/'))
    const first = components.find((component) => links.has(`${directory}/${component}`))
    const target = links.get(`${directory}/${first}`)
    if (first && target !== undefined) found.set(first, { path: first, target })
  }
  return [...found.values()]
}

/** Returns what paths are. A directory exists as long as a file in it does. */
export function findPaths(
  state: EngineState,
  directory: string,
  paths: readonly string[],
): Map<string, HostPathKind> {
  const kindOf = (path: string): HostPathKind | undefined => {
    if (path !== directory && !path.startsWith(`${directory}/`)) {
      return state.absent.has(path) ? undefined : 'other'
    }
    if (findLinks(state, directory, [path.slice(directory.length + 1)]).length > 0) return 'other'
    if (state.files.has(path)) return 'file'
    return [...state.files.keys()].some((file) => file.startsWith(`${path}/`))
      ? 'directory'
      : undefined
  }
  return new Map(
    paths.flatMap((path) => {
      const kind = kindOf(path)
      return kind ? [[path, kind] as const] : []
    }),
  )
}

/**
 * Writes a file or a link, in place of a file or a link.
 *
 * @throws 409 for a directory, and where a file is above it
 */
export function writeFile(state: EngineState, directory: string, file: HostFile | HostLink): void {
  const { files, links } = state
  const path = `${directory}/${file.path}`
  const isDirectory = [...files.keys(), ...links.keys()].some((one) => one.startsWith(`${path}/`))
  if (isDirectory) throw conflict(`${file.path} in ${directory} is a directory`)
  for (const above of parentsOf(file.path)) {
    if (files.has(`${directory}/${above}`)) throw conflict(`${above} in ${directory} is a file`)
  }
  files.delete(path)
  links.delete(path)
  if ('link' in file) links.set(path, file.link)
  else files.set(path, file)
}

/** Returns what is at paths below a directory. */
export function examineFiles(
  { files, links }: EngineState,
  directory: string,
  paths: readonly string[],
): Map<string, HostEntry> {
  const found = paths.flatMap((path): [string, HostEntry][] => {
    const place = `${directory}/${checkedHostPath(path)}`
    const link = links.get(place)
    if (link !== undefined) return [[path, { link }]]
    const file = files.get(place)
    if (!file) return []
    const sha256 = createHash('sha256').update(file.content).digest('hex')
    return [[path, { sha256, size: file.content.length, mode: file.mode }]]
  })
  return new Map(found)
}
