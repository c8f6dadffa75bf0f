import type { Project } from '../../compose/project.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Needs } from '../ports/ports.ts'
import { bringsUp } from '../records/deployment-kinds.ts'
import type { StackFiles } from '../records/stack-files.ts'
import { type LoadPorts, loadFiles } from '../stacks/load-project.ts'
import type { DeploymentRequest } from './request.ts'

/** The maximum number of earlier sets of files. */
const filesMax = 3
/** The number of deployments in which they are looked for. */
const deploymentsMax = 20

/** Files that were deployed, and the overlay. */
export interface EarlierFiles {
  files: StackFiles
  environment: string | null
}

/**
 * Yields what the containers of a stack can have been created from besides the files of a request,
 * the most likely first: each set of files once.
 */
export async function* earlierFiles(
  { stack, files, environment }: Pick<DeploymentRequest, 'stack' | 'files' | 'environment'>,
  { deployments }: Needs<'deployments'>,
): AsyncGenerator<EarlierFiles> {
  const seen = new Set([keyOf({ files, environment })])
  const isNew = (one: EarlierFiles) => {
    const key = keyOf(one)
    if (seen.has(key) || seen.size > filesMax) return false
    seen.add(key)
    return true
  }
  const last = stack.written && { files: stack.written, environment: stack.environment }
  if (last && isNew(last)) yield last
  for (const one of await deployments.listByStack(stack.id, deploymentsMax)) {
    if (!bringsUp(one.kind)) continue
    if (isNew(one)) yield one
    // It left no container of other files, except of services that are not active.
    if (one.status === 'succeeded' && one.options.services.length === 0) return
  }
}

const keyOf = ({ files, environment }: EarlierFiles) => JSON.stringify([files, environment])

/**
 * Loads the projects of `earlierFiles`. They may access anything, because a plan takes only the
 * commands of containers from them that were created with these. Files that are gone or do not load
 * are left out.
 */
export async function loadEarlier(
  request: Pick<DeploymentRequest, 'stack' | 'files' | 'environment'>,
  ports: LoadPorts & Needs<'deployments'>,
): Promise<Project[]> {
  const projects: Project[] = []
  for await (const { files, environment } of earlierFiles(request, ports)) {
    const loaded = await loadFiles(
      request.stack,
      files,
      { environment, reach: 'host' },
      ports,
    ).catch(ignoreFailure('load what containers were created from'))
    if (loaded) projects.push(loaded.project)
  }
  return projects
}
