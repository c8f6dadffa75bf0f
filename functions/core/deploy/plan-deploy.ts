import { warnOfMoved } from '../images/decide-images.ts'
import { nameChanges } from '../images/name-changes.ts'
import type { Engine } from '../ports/engine.ts'
import { rulesOf } from '../records/deployment-kinds.ts'
import { checkDeploySteps } from './check-deploy-steps.ts'
import { checkDeployUses } from './check-deploy-uses.ts'
import { decideDeployImages } from './decide-deploy-images.ts'
import { mergeExpectations } from './merge-expectations.ts'
import { observeDeploy } from './observe-deploy.ts'
import { planDeploySteps } from './plan-deploy-steps.ts'
import { noFileChanges, planFiles } from './plan-files.ts'
import type { PreparedDeployment } from './prepared.ts'
import { type DeploymentRequest, imageUser, type PreparePorts } from './request.ts'

/**
 * Plans a deploy, rollback or scale.
 *
 * @throws what `observeDeploy` and `planFiles` throw; 403 or 409 for names of the host that the
 *   stack may not use or take, 403 for containers that it may not join or share files or volumes
 *   with, 409 for a pinned image that is gone, 422 for paths that do not exist
 */
export async function planDeploy(
  request: DeploymentRequest,
  engine: Engine,
  ports: PreparePorts,
): Promise<PreparedDeployment> {
  const facts = await observeDeploy(request, engine, ports)
  const uses = await checkDeployUses(facts, ports)
  const images = await decideDeployImages(facts, ports)
  // A scale changes no files: those of a newer revision wait for a deploy.
  const files = rulesOf(request).writes
    ? await planFiles(request, facts, engine, ports)
    : await noFileChanges(request, ports)
  const steps = await planDeploySteps(facts, images, files, ports)
  const findings = await checkDeploySteps({ facts, uses, images, files, steps }, ports)
  const { loaded, project, snapshot, expected } = facts
  const { prefetch, plan, planRest } = steps
  return {
    request,
    engine,
    snapshot,
    project,
    prefetch,
    plan,
    planRest,
    drift: files.drift,
    changes: files.changes,
    resolved: images.decided.resolved,
    images: images.recorded,
    ...findings,
    claims: loaded.claims,
    expected: mergeExpectations(request.stack, project, expected),
    moved: warnOfMoved(plan, prefetch, images.decided.moved),
    imageNames: await nameChanges(loaded.project, images.facts, imageUser(request), ports),
    checkOwners: uses.checkOwners,
  }
}
