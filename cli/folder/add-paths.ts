import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Origin } from './folder-entry.ts'
import type { FolderFiles } from './folder-files.ts'
import { foldedPath, refusedPath } from './path-rules.ts'
import { quoted } from './quoted.ts'
import { relativePath } from './relative-path.ts'
import { resolvePath } from './resolve-path.ts'
import { kindOf, type Visitor, walk } from './walk.ts'

/** What all parts of a collection share. */
export interface Collecting {
  found: FolderFiles
  /** Whether `--include` names a path. */
  isIncluded(path: string): boolean
  /** The .env in the directory that must not be sent. */
  hiddenEnv: string | undefined
}

/** A path that a project refers to: absolute, or relative to its directory. */
export interface Reference {
  path: string
  user: string
  isRequired: boolean
}

/**
 * Adds a file that the project refers to, with the links that lead to it. Returns the path of a
 * directory instead, for the caller to add. Notes a path that is missing or outside.
 *
 * @param as `mount` for what the host may have, if this directory does not
 */
export async function addReferred(
  { path, user, isRequired }: Reference,
  { found, hiddenEnv }: Collecting,
  as: 'file' | 'mount' = 'file',
): Promise<string | undefined> {
  const absolute = resolve(found.root, path)
  const inside = relativePath(found.root, absolute)
  const of = user === '' ? '' : ` (${user})`
  if (inside === undefined) {
    const reason = as === 'mount' ? `taken from the host${of}` : `not sent${of}`
    found.outside.set(absolute, { path: absolute, reason })
    return undefined
  }
  if (inside === hiddenEnv) return undefined
  const origin: Origin = { why: as === 'mount' ? `mounted by ${user}` : 'referred to' }
  const { links, end } = await resolvePath(found.root, inside)
  for (const link of links) found.addLink(link.path, link.target, origin)
  if (as === 'mount') found.mounted.set(inside, 'path' in end ? end.path : inside)
  if ('problem' in end) {
    if (end.problem === 'missing') noteMissing(inside, { of, isRequired, as }, found)
    else if (end.problem === 'unreadable') found.leaveDataOut(inside, 'cannot be read')
    else if (links.length === 0 || end.problem === 'loop') found.leaveOut(inside, 'a loop of links')
    else found.leaveDataOut(inside, 'behind a link that leads elsewhere')
    return undefined
  }
  if (end.stats.isDirectory()) return end.path
  if (!end.stats.isFile()) found.leaveOut(end.path, kindOf(end.stats))
  else if (await isReadable(join(found.root, end.path))) found.addFile(end.path, end.stats, origin)
  else found.leaveDataOut(end.path, 'cannot be read')
  return undefined
}

function noteMissing(
  path: string,
  { of, isRequired, as }: { of: string; isRequired: boolean; as: 'file' | 'mount' },
  { missing }: FolderFiles,
): void {
  if (as === 'file' && !isRequired) return
  const reason = isRequired
    ? `the deploy fails unless the host has it${of}`
    : `the deploy creates an empty directory unless the host has it${of}`
  missing.set(path, { path, reason })
}

async function isReadable(path: string): Promise<boolean> {
  // An error of any kind says that it cannot be read.
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  )
}

/** Adds everything in a directory, except directories in `except`. */
export async function addTree(
  directory: string,
  why: string,
  collecting: Collecting,
  except: ReadonlySet<string>,
): Promise<void> {
  const visitor = adding({ directory, why }, collecting)
  await walk(collecting.found.root, directory, {
    ...visitor,
    enters: (path) => !except.has(path) && visitor.enters(path),
  })
}

/** Returns a visitor that adds what it visits. It leaves `.git` out, unless that is included. */
export function adding(origin: Origin, { found, isIncluded, hiddenEnv }: Collecting): Visitor {
  return {
    file(path, stats) {
      if (found.isSource(path) || path === hiddenEnv) return
      if (isOverlayName(path)) found.leaveOut(path, 'has the name of an overlay: use --overlay')
      else found.addFile(path, stats, origin)
    },
    link: (path, target) => found.addLink(path, target, origin),
    other: (path, reason) => {
      if (/^a (socket|FIFO|device)$/.test(reason)) found.leaveOut(path, reason)
      else found.leaveDataOut(path, reason)
    },
    enters(path) {
      const isGit = /(^|\/)\.git$/.test(path) && !isIncluded(path)
      const problem = isGit ? 'use --include .git to send it' : refusedPath(path)
      if (problem !== undefined) found.leaveOut(`${path}/`, problem)
      return problem === undefined
    },
  }
}

/** Overlays are compose files of their own; the service knows them by their names. */
const isOverlayName = (path: string) =>
  /^compose\.[a-z0-9][a-z0-9_-]{0,62}\.yaml$/.test(foldedPath(path))

/** A directory that containers write to is sent up to this size. */
const seedFilesMax = 100
const seedBytesMax = 1024 * 1024

/** Adds a small directory that containers may write to. Larger ones are left out. */
export async function addSeed(
  directory: string,
  user: string,
  collecting: Collecting,
): Promise<void> {
  const { found, isIncluded } = collecting
  const seen: (() => void)[] = []
  let size = 0
  const visitor = adding({ directory, why: `first content, ${user} may write to it` }, collecting)
  const isTooLarge = () => seen.length > seedFilesMax || size > seedBytesMax
  await walk(found.root, directory, {
    file(path, stats) {
      size += stats.size
      seen.push(() => visitor.file(path, stats))
    },
    link: (path, target) => seen.push(() => visitor.link(path, target)),
    other: (path, reason) => seen.push(() => visitor.other(path, reason)),
    enters: visitor.enters,
    isDone: () => isTooLarge() && !isIncluded(directory),
  })
  if (!isTooLarge() || isIncluded(directory)) for (const add of seen) add()
  else {
    const limit = size > seedBytesMax ? '1 MiB' : `${seedFilesMax} files`
    const pattern = patternOf(directory)
    const reason = `${user} may write to it and it has more than ${limit}`
    found.leaveDataOut(`${directory}/`, `${reason}; --include ${quoted(pattern)} sends it`, pattern)
  }
}

/** Returns the pattern of `--include` that matches a directory and nothing else. */
const patternOf = (directory: string) =>
  directory === '' ? '**' : directory.replace(/[\\*?[\]]|^[!#]/g, '\\$&')
