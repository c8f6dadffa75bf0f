import { normalizePath } from '../compose/load/paths.ts'
import { isInside } from '../compose/policy/resource-reach.ts'
import type { Reach } from '../compose/project.ts'
import { conflict, type Failure, forbidden, unprocessable } from '../errors.ts'
import type { Host } from '../hosts/ports.ts'
import type { StackRecord } from '../stacks/stack.ts'
import type { RunningProject } from './projects.ts'

/** What the place of a running project is judged by. */
export interface PlaceEvidence {
  project: RunningProject
  host: Pick<Host, 'id' | 'stacksDirectory'>
  /** The stacks that the caller may see. */
  stacks: readonly Pick<StackRecord, 'id' | 'hostId' | 'directory'>[]
  reach: Reach
}

/**
 * Returns why a running project cannot be adopted where its labels say that it lives, or undefined.
 * The labels can be anybody's, so they decide nothing: without `stacks:privileged` the directory
 * has to be the one that the service itself would give to a stack of that name.
 */
export function placeRefusal({ project, host, stacks, reach }: PlaceEvidence): Failure | undefined {
  const { name, workingDir, configFiles } = project
  if (!isDirectory(workingDir)) {
    return unprocessable(`project ${name}: its containers do not say in which directory it lives`)
  }
  const others = stacks.filter(({ id, hostId }) => hostId === host.id && id !== name)
  const same = others.find(({ directory }) => normalizePath(directory) === workingDir)
  if (same) return conflict(`project ${name}: ${workingDir} is the directory of stack ${same.id}`)
  if (reach === 'host') return undefined
  const own = `${host.stacksDirectory}/${name}`
  if (workingDir !== own) {
    return beyond(name, `it says that it lives in ${workingDir}, and a stack of its name in ${own}`)
  }
  const near = others.find(
    ({ directory }) => isInside(directory, workingDir) || isInside(workingDir, directory),
  )
  if (near) return beyond(name, `its directory and that of stack ${near.id} lie in each other`)
  const file = configFiles.find((path) => path === workingDir || !isInside(workingDir, path))
  return file === undefined ? undefined : beyond(name, `its compose file ${file} lies outside`)
}

/** 403: adopting this project needs privileges. */
export const beyond = (name: string, why: string): Failure =>
  forbidden(`project ${name}: ${why}: to adopt it you need the permission stacks:privileged`)

const isDirectory = (path: string) =>
  path.startsWith('/') && path !== '/' && normalizePath(path) === path
