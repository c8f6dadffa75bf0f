import { containerName } from '../../compose/create/labels.ts'
import type { Project } from '../../compose/project.ts'
import { refusedByPolicy } from '../errors.ts'
import { builtNames, imageUse } from '../images/image-access.ts'
import { checkName } from '../images/tag-image.ts'
import { type ReportUse, refuseUse, reportRefusal } from '../owners/refused-use.ts'
import {
  isReserved,
  isReservedImage,
  refuseReservedStack,
  reservedText,
} from '../owners/reserved-names.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import { wasEverDeployed } from '../records/stack.ts'
import { imageUser, type StackUser } from './request.ts'

/**
 * Checks that a deploy gives no reserved name to its stack, a container or an image that it builds.
 * What the last deploy used stays allowed.
 *
 * @param used returns the names that the last deploy used; see `usedNames`
 * @throws 403 that names the service and the name, unless `report` keeps it, and what `checkName`
 *   throws
 */
export async function refuseReservedNames(
  request: StackUser,
  project: Project,
  used: () => Promise<ReadonlySet<string>>,
  engine: Pick<Engine, 'resolve'>,
  ports: Needs<'deployments' | 'owners' | 'stacks'>,
  report: ReportUse = refuseUse,
): Promise<void> {
  const { stack, reach } = request
  if (reach === 'host') return
  if (!wasEverDeployed(stack)) {
    const check = async () => refuseReservedStack(stack.id, reach)
    await reportRefusal({ name: `stack:${stack.id}` }, report, check)
  }
  for (const [service, { container_name: given }] of Object.entries(project.services)) {
    const name = containerName(project, service, 1)
    // The default names of a stack follow from its own, which was checked.
    if (!isReserved(name) || (given === undefined && isReserved(stack.id))) continue
    const use = { name: `container:${name}` }
    if ((await used()).has(use.name)) continue
    report(use, refusedByPolicy(reservedText(`services.${service}: container ${name}`)))
  }
  for (const reference of builtNames(project)) {
    if (!isReservedImage(reference)) continue
    const check = () => checkName(reference, imageUser(request), engine, ports)
    await reportRefusal({ name: imageUse(reference) }, report, check)
  }
}
