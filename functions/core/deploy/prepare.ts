import { refuseOwnFiles, refuseOwnStack } from '../owners/refuse-installation.ts'
import { rulesOf } from '../records/deployment-kinds.ts'
import { checkFirstUse } from '../stacks/foreign-files.ts'
import { refuseStale } from '../stacks/refuse-stale.ts'
import { withCurrentSets } from '../stacks/taken-sets.ts'
import { planContainers } from './plan-containers.ts'
import { planDeploy } from './plan-deploy.ts'
import { planServiceFetch } from './plan-service-fetch.ts'
import type { PreparedDeployment } from './prepared.ts'
import { refuseDrift } from './refuse-drift.ts'
import { refuseHeld } from './refuse-held.ts'
import { refuseOutlived } from './refuse-outlived.ts'
import { refuseUnaccepted } from './refuse-unaccepted.ts'
import type { DeploymentRequest, PreparePorts } from './request.ts'

/**
 * Checks a request and plans its steps from what exists on the host. Durable after it: nothing of
 * the deployment. Records of owners that are gone are removed, and the list of the files to write
 * may have been stored, as a text that no record names yet.
 *
 * @throws what `planDeployment` throws, and 409 if the service itself runs in the stack or has
 *   files in its directory, if a container outlives the files that let it control the host, if
 *   other containers have names or ports that it needs, or if files or images were changed on
 *   the host, or the files refer to what an account that saved them may not use, and the
 *   request does not accept that; 403 if others have files in the directory of a stack that
 *   was never deployed
 */
export async function prepare(
  request: DeploymentRequest,
  ports: PreparePorts,
): Promise<PreparedDeployment> {
  const prepared = await planDeployment(request, ports)
  const { stack } = request
  const { from, builds } = rulesOf(request)
  if (from !== 'images') await refuseOwnStack(stack.id, prepared.engine)
  if (builds) {
    await refuseOwnFiles(stack, prepared.engine)
    await refuseOutlived(prepared, ports)
    await checkFirstUse(request, prepared.engine, ports)
  }
  if (from === 'project') await refuseHeld(prepared, ports)
  return refuseUnaccepted(refuseDrift(prepared))
}

/**
 * Loads the project, observes the host and plans the steps, whatever was changed on the host.
 *
 * @throws 409 if the files are not of the revision that the request names, 422 if the project does
 *   not load, takes a set of variables that is gone or needs what the Engine cannot do, 403 if it
 *   accesses more than it may, 404 or 409 for things that it refers to, 500 if the Engine does not
 *   respond
 */
export async function planDeployment(
  request: DeploymentRequest,
  ports: PreparePorts,
): Promise<PreparedDeployment> {
  refuseStale(request.stack, request.revision)
  const engine = await ports.engines.on(request.stack.hostId)
  const rules = rulesOf(request)
  const taking = await takeCurrentSets(request, ports)
  if (rules.from === 'images') return planServiceFetch(taking, rules.plan, engine, ports)
  return rules.from === 'project'
    ? planDeploy(taking, engine, ports)
    : planContainers(taking, rules.plan, engine, ports)
}

/** Returns the request with what its sets of variables have now, if it takes that. */
async function takeCurrentSets(
  request: DeploymentRequest,
  ports: PreparePorts,
): Promise<DeploymentRequest> {
  const { stack, files, currentSets } = request
  if (!currentSets) return request
  return { ...request, files: await withCurrentSets(files, stack.hostId, ports) }
}
