import { relativeTo } from '../../compose/paths.ts'
import { writablePaths } from '../../compose/policy/writable-paths.ts'
import type { Project } from '../../compose/project.ts'
import type { StackTree } from '../records/stack-tree.ts'
import { entryAt } from './tree.ts'

/**
 * Paths in a stack's directory that containers can write, relative to it. The files in such a
 * directory are the host's data. Those of the stack are only a seed: they are written where the
 * host has none, never compared, replaced or deleted.
 */
export interface HostOwned {
  paths: readonly string[]
  /** Files of the stack in such directories that are written all the same. */
  except: ReadonlySet<string>
}

/** Nothing on the host belongs to containers. */
export const nothingOwned: HostOwned = { paths: [], except: new Set() }

/**
 * Returns what belongs to the containers of a project. The stack's directory itself never does:
 * with `.:/app` its files are still those of the stack.
 *
 * @param read the files that define the project
 * @param earlier absolute paths that containers of earlier deployments could write
 */
export function hostOwned(
  project: Pick<Project, 'services' | 'disabled_services' | 'volumes' | 'working_dir'>,
  read: Iterable<string>,
  earlier: readonly string[] = [],
): HostOwned {
  const { services, disabled_services: disabled, working_dir: directory } = project
  const written = writablePaths(project, [services, disabled]).map(({ path }) => path)
  const inside = [...written, ...earlier].flatMap((path) => relativeTo(directory, path) ?? [])
  return { paths: [...new Set(inside)], except: new Set(read) }
}

/** Returns whether a file of the stack is only a seed. */
export const isSeed = (path: string, { paths, except }: HostOwned): boolean =>
  paths.some((one) => path.startsWith(`${one}/`)) && !except.has(path)

/** Returns whether containers can write the file itself, by a mount of this single file. */
export const isWritableFile = (path: string, { paths }: HostOwned): boolean => paths.includes(path)

/** Returns the files of a tree that are no seeds, and the seeds. */
export function splitSeeds(tree: StackTree, owned: HostOwned) {
  const all = Object.entries(tree)
  return {
    managed: Object.fromEntries(all.filter(([path]) => !isSeed(path, owned))) as StackTree,
    seeds: Object.fromEntries(all.filter(([path]) => isSeed(path, owned))) as StackTree,
  }
}

/** Returns the directories of a tree that belong to containers. */
export const ownedDirectories = (tree: StackTree, { paths }: HostOwned): string[] =>
  paths.filter((path) => entryAt(tree, path) === undefined)
