import { normalizePath } from '../../compose/paths.ts'
import { isInside } from '../../compose/policy/resource-reach.ts'
import type { Reach } from '../../compose/project.ts'
import { conflict, type Failure, refusedByPolicy, unusable } from '../errors.ts'
import type { Host } from '../records/host.ts'
import { type StackPlace, sharedDirectory } from '../stacks/shared-directory.ts'
import type { RunningProject } from './projects.ts'

/** The facts that `directoryRefusal` decides on. */
export interface DirectoryEvidence {
  project: RunningProject
  host: Pick<Host, 'id' | 'stacksDirectory'>
  /** The stacks in the caller's scope. */
  stacks: readonly StackPlace[]
  reach: Reach
}

/**
 * Returns why a running project cannot be adopted from the directory in its labels, or undefined if
 * it can. Anyone can set labels, so they grant nothing: without `stacks:privileged` the directory
 * must be the one that the service would give to a stack of that name.
 */
export function directoryRefusal({
  project,
  host,
  stacks,
  reach,
}: DirectoryEvidence): Failure | undefined {
  const { name, workingDir, configFiles } = project
  if (!isDirectory(workingDir)) {
    return unusable(`project ${name}: the labels of its containers do not name a valid directory`)
  }
  const shared = sharedDirectory({ id: name, hostId: host.id, directory: workingDir }, stacks)
  if (shared?.isSame)
    return conflict(`project ${name}: ${workingDir} is the directory of stack ${shared.stack}`, {
      reason: 'exists',
    })
  if (reach === 'host') return undefined
  const own = `${host.stacksDirectory}/${name}`
  if (workingDir !== own) {
    return refusedAdoption(
      name,
      `its labels name the directory ${workingDir}, but a stack of that name belongs in ${own}`,
    )
  }
  if (shared) {
    return refusedAdoption(name, `its directory overlaps with that of stack ${shared.stack}`)
  }
  const file = configFiles.find((path) => path === workingDir || !isInside(workingDir, path))
  return file === undefined
    ? undefined
    : refusedAdoption(name, `its compose file ${file} is outside that directory`)
}

/** Returns the failure 403: adopting this project needs `stacks:privileged`. */
export const refusedAdoption = (name: string, why: string): Failure =>
  refusedByPolicy(`project ${name}: ${why}: adopting it requires the permission stacks:privileged`)

const isDirectory = (path: string) =>
  path.startsWith('/') && path !== '/' && normalizePath(path) === path
