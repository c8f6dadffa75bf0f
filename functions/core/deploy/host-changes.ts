import { relativeTo } from '../../compose/paths.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackFiles } from '../records/stack-files.ts'
import type { StackTree } from '../records/stack-tree.ts'
import type { Drift } from '../stacks/drift.ts'
import { type HostOwned, isSeed, splitSeeds } from '../stacks/host-owned.ts'
import { allFiles, writtenPaths } from '../stacks/texts.ts'
import { entryAt, isSameEntry, modeOf, readTree, storeTree } from '../stacks/tree.ts'
import type { DeploymentRequest } from './request.ts'

/** The changes of a deploy to the stack's directory. */
export interface HostChanges {
  /** Files and links by path; their contents are read when they are written. */
  write: StackTree
  /** Paths of files that were put there before and no longer belong to the stack. */
  remove: string[]
  /** What is recorded as written: the files of the deployment without the seeds. */
  written: StackFiles
}

/** Returns the paths of the files that a deploy writes or removes; a removed one has mode 0. */
export const changedPaths = ({ write, remove }: HostChanges) => [
  ...Object.entries(write).map(([path, entry]) => ({ path, mode: modeOf(entry) })),
  ...remove.map((path) => ({ path, mode: 0 })),
]

/** What a deploy knows of the stack's directory. */
export interface HostFacts {
  /** All files that the stack should have. */
  desired: StackTree
  drift: readonly Drift[]
  owned: HostOwned
  engine: Engine
}

/**
 * Returns the files to write and to remove. Files to write are those that differ from what was last
 * written and, if drift is to be overwritten, those that drifted; and the seeds where the host has
 * nothing. A file that a container can write, or could write before, is never removed.
 * If there are seeds, stores the list of the other files as a text that no record names yet.
 */
export async function hostChanges(
  { stack, files, options }: DeploymentRequest,
  { desired, drift, owned, engine }: HostFacts,
  ports: Needs<'texts'>,
): Promise<HostChanges> {
  const before: StackTree = stack.written ? await allFiles(stack.written, stack, ports) : {}
  const drifted = new Set(options.overwriteDrift ? drift.map(({ path }) => path) : [])
  const { managed, seeds } = splitSeeds(desired, owned)
  const changed = Object.entries(managed).filter(
    ([path, entry]) => !isSameEntry(entry, entryAt(before, path)) || drifted.has(path),
  )
  const earlier = (stack.writable ?? []).flatMap((path) => relativeTo(stack.directory, path) ?? [])
  const all = { ...owned, paths: [...owned.paths, ...earlier] }
  const gone = (await writtenPaths(stack, ports)).filter((path) => !Object.hasOwn(desired, path))
  return {
    write: { ...Object.fromEntries(changed), ...(await absentOf(seeds, stack.directory, engine)) },
    remove: gone.filter((path) => !isSeed(path, all)),
    written: Object.keys(seeds).length > 0 ? await withoutSeeds(files, owned, ports) : files,
  }
}

/** Returns the seeds at whose paths the host has nothing. */
async function absentOf(seeds: StackTree, directory: string, engine: Engine): Promise<StackTree> {
  const paths = Object.keys(seeds)
  if (paths.length === 0) return {}
  const found = await engine.findPaths(
    directory,
    paths.map((path) => `${directory}/${path}`),
  )
  const absent = Object.entries(seeds).filter(([path]) => !found.has(`${directory}/${path}`))
  return Object.fromEntries(absent)
}

async function withoutSeeds(
  files: StackFiles,
  owned: HostOwned,
  ports: Needs<'texts'>,
): Promise<StackFiles> {
  const { tree: _, ...rest } = files
  const { managed } = splitSeeds(await readTree(files, ports), owned)
  const tree = await storeTree(managed, ports)
  return { ...rest, others: {}, ...(tree === undefined ? {} : { tree }) }
}
