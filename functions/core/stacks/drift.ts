import { callHost } from '../hosts/call-host.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { ExpectedFile, HostEntry } from '../records/host-engine.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackFiles } from '../records/stack-files.ts'
import { isLink, type StackTree } from '../records/stack-tree.ts'
import {
  type HostOwned,
  isSeed,
  isWritableFile,
  nothingOwned,
  ownedDirectories,
} from './host-owned.ts'
import { type LoadPorts, loadOwned } from './load-project.ts'
import { allFiles } from './texts.ts'
import { entryAt, isSameEntry } from './tree.ts'

/** A file on the host that differs from what was last written. */
export interface Drift {
  path: string
  change: 'modified' | 'missing'
}

/** A drift with what is there now. */
export interface FoundDrift extends Drift {
  now: HostEntry | undefined
}

/**
 * Compares the stack's directory with what was last written there. Returns the differences sorted
 * by path. A file that the service never wrote, at the path of one of `files`, counts as modified.
 * Files that `files` would overwrite or delete are always read from the host, never from a cache.
 *
 * @param owning what belongs to containers: seeds are not compared. A file that a container can
 *   write is compared only if the deployment is about to write it.
 * @throws what the Engine throws
 */
export async function findDrift(
  stack: StackRecord,
  files: StackFiles,
  engine: Engine,
  ports: Needs<'texts'>,
  owning: HostOwned | Promise<HostOwned> = nothingOwned,
): Promise<FoundDrift[]> {
  const [written, desired, owned] = await Promise.all([
    stack.written ? allFiles(stack.written, stack, ports) : {},
    allFiles(files, stack, ports),
    owning,
  ])
  const all = new Set([...Object.keys(written), ...Object.keys(desired)])
  const paths = [...all].filter((path) => !isSeed(path, owned))
  const stays = (path: string) => isSameEntry(entryAt(written, path), entryAt(desired, path))
  const avoid = ownedDirectories(desired, owned)
  const found = await engine.examineFiles(stack.directory, expectedIn(paths, written, desired), {
    known: new Set(paths.filter(stays)),
    avoid,
  })
  return paths
    .flatMap((path): FoundDrift[] => {
      const now = found.get(path)
      if (!now) return entryAt(written, path) ? [{ path, change: 'missing', now }] : []
      if (isWritableFile(path, owned) && stays(path)) return []
      return isAsIn(written, path, now) ? [] : [{ path, change: 'modified', now }]
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Returns what to expect at paths: what was written, or else what will be. */
function expectedIn(
  paths: readonly string[],
  written: StackTree,
  desired: StackTree,
): Map<string, ExpectedFile> {
  const expected = paths.flatMap((path) => {
    const entry = entryAt(written, path) ?? entryAt(desired, path)
    return entry ? [[path, isLink(entry) ? 'link' : entry.size] as const] : []
  })
  return new Map(expected)
}

/** Returns whether what is on the host is what the tree has at that path. Modes may differ. */
function isAsIn(tree: StackTree, path: string, now: HostEntry): boolean {
  const entry = entryAt(tree, path)
  if (!entry) return false
  if (isLink(entry)) return 'link' in now && now.link === entry.link
  return 'sha256' in now && now.sha256 === entry.sha256
}

/** The time limit for reading drift where a stack is also shown without it. Milliseconds. */
const shownWithin = 5_000

/** Returns the drift of a stack without the contents; none if its host does not respond. */
export async function driftOf(
  stack: StackRecord,
  ports: Needs<'texts' | 'engines' | 'clock' | 'hosts'> & LoadPorts,
): Promise<Drift[]> {
  if (!stack.written) return []
  const owned = await loadOwned(stack, stack.files, ports)
  const look = (engine: Engine) => findDrift(stack, stack.files, engine, ports, owned)
  const found = await callHost(stack.hostId, ports, look, shownWithin).catch(
    ignoreFailure('look for the drift of a stack'),
  )
  return (found ?? []).map(({ path, change }) => ({ path, change }))
}

/**
 * Returns the drift that a deploy would overwrite. A file that already has the wanted content is
 * left out.
 */
export function driftAgainst(drift: FoundDrift[], desired: StackTree): FoundDrift[] {
  return drift.filter(({ path, now }) =>
    now ? !isAsIn(desired, path, now) : entryAt(desired, path) !== undefined,
  )
}
