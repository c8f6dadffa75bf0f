import { containerName } from '../../compose/create/labels.ts'
import type { Project } from '../../compose/project.ts'
import { refusedByPolicy } from '../errors.ts'
import { builtNames } from '../images/image-access.ts'
import { checkName } from '../images/tag-image.ts'
import {
  isReserved,
  isReservedImage,
  refuseReservedStack,
  reservedText,
} from '../owners/reserved-names.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import { wasEverDeployed } from '../records/stack.ts'
import { type DeploymentRequest, imageUser } from './request.ts'

/**
 * Checks that a deploy gives no reserved name to its stack, a container or an image that it builds.
 * What the last deploy used stays allowed.
 *
 * @param used returns the names that the last deploy used; see `usedNames`
 * @throws 403 that names the service and the name, and what `checkName` throws
 */
export async function refuseReservedNames(
  request: DeploymentRequest,
  project: Project,
  used: () => Promise<ReadonlySet<string>>,
  engine: Pick<Engine, 'resolve'>,
  ports: Needs<'deployments' | 'owners' | 'stacks'>,
): Promise<void> {
  const { stack, reach } = request
  if (reach === 'host') return
  if (!wasEverDeployed(stack)) refuseReservedStack(stack.id, reach)
  for (const [service, { container_name: given }] of Object.entries(project.services)) {
    const name = containerName(project, service, 1)
    // The default names of a stack follow from its own, which was checked.
    if (!isReserved(name) || (given === undefined && isReserved(stack.id))) continue
    if ((await used()).has(`container ${name}`)) continue
    throw refusedByPolicy(reservedText(`services.${service}: container ${name}`))
  }
  for (const reference of builtNames(project)) {
    if (isReservedImage(reference)) await checkName(reference, imageUser(request), engine, ports)
  }
}
