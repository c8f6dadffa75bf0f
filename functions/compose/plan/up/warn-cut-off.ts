import { restartedWith } from '../../cut-off-services.ts'
import type { Project } from '../../project.ts'
import type { Snapshot } from '../../snapshot.ts'
import type { ServiceDecision } from '../compare/decide.ts'
import { restartingServices } from '../restarting-services.ts'
import { containersOf } from '../stop/service-containers.ts'

/**
 * Returns a warning for each service that is left out and that loses its network, or another
 * namespace, because the container that has it is replaced.
 */
export function cutOffWarnings(
  { left_out: leftOut = {} }: Pick<Project, 'left_out'>,
  snapshot: Pick<Snapshot, 'containers'>,
  decisions: Iterable<ServiceDecision>,
): string[] {
  const replaced = [...decisions].flatMap(({ name, recreate }) => (recreate.length > 0 ? name : []))
  const users = restartingServices(leftOut).filter(
    ({ service }) => containersOf(snapshot, service).length > 0,
  )
  const all = replaced.join(', ')
  return restartedWith(replaced, users).map(
    (name) =>
      `service ${name}: it is left out, but uses the network or another namespace of a service that ` +
      `is replaced (${all}), or restarts with it: it is cut off until you deploy it too; name it beside them`,
  )
}
