import type { ObservedContainer } from '../../compose/snapshot.ts'
import { conflict, Failure } from '../errors.ts'
import type { EnteredHost } from '../owners/neighbours.ts'
import { reachedIfThere } from '../owners/reached-by-container.ts'
import { loadFiles } from '../stacks/load-project.ts'
import type { PreparedDeployment } from './prepared.ts'
import { sharingContainers } from './refuse-shared-mounts.ts'
import type { DeploymentRequest, PreparePorts } from './request.ts'

/**
 * Checks, for a caller with access to the host, that no container that controls the host and gets
 * files or volumes of the deployment outlives the files that gave it control. A role without
 * `stacks:privileged` can have saved files without its service, or without the control, and with
 * another script for it.
 *
 * @throws 409 that names the container
 */
export async function refuseOutlived(
  { request, project, changes, snapshot, engine, prefetch, plan }: PreparedDeployment,
  ports: PreparePorts,
): Promise<void> {
  const { stack, reach } = request
  if (reach !== 'host' || !project) return
  const replaced = new Set(
    [...prefetch.steps, ...plan.steps].flatMap(({ kind, action, name }) =>
      kind === 'container' && (action === 'recreate' || action === 'remove') ? name : [],
    ),
  )
  const { containers } = snapshot
  const staying = sharingContainers(stack, { project, changes, containers }).filter(
    ({ name }) => !replaced.has(name),
  )
  for (const container of staying) {
    const control = await controlOf(container, { hostId: stack.hostId, engine }, ports)
    if (control === undefined || !(await givesNoControl(request, ports))) continue
    throw conflict(
      `stack ${stack.id}: container ${container.name} controls the host by ${control}, which the files no longer say, and would get files or volumes of this deployment: remove it, deploy its service, or set \`remove_orphans\``,
    )
  }
}

async function controlOf(
  { id }: ObservedContainer,
  host: EnteredHost,
  ports: PreparePorts,
): Promise<string | undefined> {
  const found = await reachedIfThere(id, host, ports)
  return found?.reached.find(({ degree }) => degree === 'host')?.reason
}

/** Returns whether anyone could have saved the files of a deployment. */
async function givesNoControl(
  { stack, files, environment, profiles }: DeploymentRequest,
  ports: PreparePorts,
): Promise<boolean> {
  try {
    await loadFiles(stack, files, { environment, profiles, reach: 'stack' }, ports)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
