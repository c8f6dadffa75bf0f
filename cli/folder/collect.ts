import { join } from 'node:path'
import { addBuild } from './add-build.ts'
import { addReferred, addSeed, addTree, type Collecting } from './add-paths.ts'
import { type ComposeFiles, namesInStack } from './compose-files.ts'
import { FolderFiles } from './folder-files.ts'
import { includes } from './ignored.ts'
import type { LoadedFolder } from './load-project.ts'
import { isInAny } from './path-rules.ts'
import { type Place, placesOf } from './places.ts'
import { relativePath } from './relative-path.ts'
import { isEmptyDirectory, walk } from './walk.ts'

/** What widens the collection. */
export interface Widening {
  include: readonly string[]
  all: boolean
}

type Mount = Extract<Place, { kind: 'mount' }>

/**
 * Returns the files of a project's directory that belong to its stack: those that its compose files
 * refer to, its build contexts, and what its services mount.
 */
export async function collect(
  files: ComposeFiles,
  { projects, read }: LoadedFolder,
  widening: Widening,
): Promise<FolderFiles> {
  const { root, hiddenEnv } = files
  const found = new FolderFiles(root, namesInStack(files), files.sources)
  const places = projects.flatMap(placesOf)
  const mounts = places.filter((place) => place.kind === 'mount')
  const isIncluded = includes(widening.include)
  const collecting: Collecting = { found, isIncluded, hiddenEnv }
  for (const path of files.unusable)
    found.leaveOut(path, 'an overlay in a subdirectory: name it with --overlay')
  for (const path of read) await addReferred({ path, user: '', isRequired: true }, collecting)
  for (const place of places) if (place.kind === 'file') await addReferred(place, collecting)
  for (const place of places) if (place.kind === 'build') await addBuild(place, collecting)
  await addMounts(mounts, collecting)
  if (widening.all || widening.include.length > 0) await addIncluded(widening.all, collecting)
  found.leaveOutRefused()
  for (const pattern of widening.include)
    if (!matchesAny(pattern, files, found)) {
      found.missing.set(pattern, { path: `--include ${pattern}`, reason: 'matches no file' })
    }
  return found
}

/** Returns whether a pattern of `--include` matches anything that is sent or left out. */
function matchesAny(pattern: string, { sources }: ComposeFiles, found: FolderFiles): boolean {
  const matches = includes([pattern])
  const leftOut = [...found.leftOut.keys()].map((path) => path.replace(/\/$/, ''))
  return [...found.entries.keys(), ...sources, ...leftOut].some(matches)
}

/**
 * Adds what services mount. A directory that one of them may write to is the host's data, and so is
 * everything in it.
 */
async function addMounts(mounts: readonly Mount[], collecting: Collecting): Promise<void> {
  const { root } = collecting.found
  const users = usersByPath(mounts)
  const written = new Set(mounts.filter((one) => one.isWritable).map((one) => one.path))
  const writable = [...written].flatMap((path) => relativePath(root, path) ?? [])
  const isSeen = new Set<string>()
  for (const mount of mounts) {
    if (isSeen.has(mount.path)) continue
    isSeen.add(mount.path)
    const user = users.get(mount.path) ?? mount.user
    const place = { ...mount, user, isRequired: !mount.createsPath }
    const end = await addReferred(place, collecting, 'mount')
    if (end === undefined) continue
    if (await isEmptyDirectory(join(root, end))) collecting.found.empty.add(end)
    if (isInAny(end, writable)) {
      if (written.has(mount.path)) await addSeed(end, user, collecting)
    } else await addTree(end, `mounted read-only by ${user}`, collecting, new Set(writable))
  }
}

function usersByPath(mounts: readonly Mount[]): Map<string, string> {
  const users = new Map<string, Set<string>>()
  for (const { path, user } of mounts) {
    users.set(path, (users.get(path) ?? new Set()).add(user))
  }
  return new Map([...users].map(([path, names]) => [path, [...names].sort().join(', ')]))
}

/** Adds what `--include` and `--all` name. */
async function addIncluded(all: boolean, { found, isIncluded }: Collecting): Promise<void> {
  const origin = { why: all ? '--all' : '--include' }
  const isWanted = (path: string) =>
    !found.isSource(path) && (isIncluded(path) || (all && !/(^|\/)\.git(\/|$)/.test(path)))
  await walk(found.root, '', {
    enters: (path) => !all || isWanted(path),
    file(path, stats) {
      if (isWanted(path)) found.addFile(path, stats, origin)
    },
    link(path, target) {
      if (isWanted(path)) found.addLink(path, target, origin)
    },
    other(path, reason) {
      if (isWanted(path)) found.leaveOut(path, reason)
    },
  })
}
