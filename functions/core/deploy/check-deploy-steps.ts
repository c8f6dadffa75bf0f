import { findSharedNames, refuseTakenNames } from '../owners/taken-names.ts'
import { rulesOf } from '../records/deployment-kinds.ts'
import { findBeyondSavers } from './beyond-savers.ts'
import type { DeployUses } from './check-deploy-uses.ts'
import { checkPaths } from './check-paths.ts'
import type { DeployImages } from './decide-deploy-images.ts'
import type { DeployFacts } from './observe-deploy.ts'
import type { DeploySteps } from './plan-deploy-steps.ts'
import type { PlannedFiles } from './plan-files.ts'
import type { PreparedDeployment } from './prepared.ts'
import { refuseSharedMounts } from './refuse-shared-mounts.ts'
import type { PreparePorts } from './request.ts'
import { nameUser } from './resource-users.ts'
import { staleBuilds } from './stale-builds.ts'
import { staleMounts } from './stale-mounts.ts'
import { environmentWarning, scaleResets } from './warnings.ts'

/** A deploy whose steps are planned. */
export interface PlannedDeploy {
  facts: DeployFacts
  uses: DeployUses
  images: DeployImages
  files: PlannedFiles
  steps: DeploySteps
}

/** What the steps of a deploy do that its caller should know, and the warnings that say so. */
export type DeployFindings = Pick<
  PreparedDeployment,
  'shared' | 'beyondSavers' | 'created' | 'resets' | 'stale' | 'warnings'
>

/**
 * Checks what the steps of a deploy use, and collects what its caller should know.
 *
 * @throws 403 for containers that it may not share files or volumes with, 409 for names in networks
 *   that are taken, 422 for paths that do not exist
 */
export async function checkDeploySteps(
  { facts, uses, images, files, steps }: PlannedDeploy,
  ports: PreparePorts,
): Promise<DeployFindings> {
  const { request, engine, loaded, whole, project, snapshot, onHost, owned } = facts
  const { used, joined } = uses
  const { desired: tree, changes } = files
  const { prefetch, plan } = steps
  const { containers } = snapshot
  if (prefetch.steps.length + plan.steps.length > 0) {
    await refuseSharedMounts(request, { project, changes, containers }, engine, ports)
  }
  await refuseTakenNames(plan.steps, engine)
  const shared = await findSharedNames(plan.steps, nameUser(request, onHost, used, ports), engine)
  const all = { loaded, whole, containers, images: images.facts, joined, tree, owned }
  const deployed = { ...all, steps: plan.steps }
  const beyondSavers = await findBeyondSavers(request, deployed, used, engine, ports)
  const planned = { project, paths: loaded.paths, plan, prefetch, tree, changes }
  const created = await checkPaths(request, planned, engine)
  const resets = resetsOf(facts)
  const stale = staleServices({ facts, files, steps })
  const texts = [...stale, ...shared, ...beyondSavers].map(({ text }) => text)
  const warnings = [
    ...environmentWarning(request),
    ...resets.map(({ text }) => text),
    ...loaded.warnings,
    ...created.map(({ warning }) => warning),
    ...texts,
  ]
  return { shared, beyondSavers, created, resets, stale, warnings }
}

/** Returns the services that users scaled and that the deploy sets back. */
const resetsOf = ({ request, expected }: DeployFacts) =>
  rulesOf(request).keepsScale ? [] : scaleResets(request.stack, expected, request.options.replicas)

/** Returns the services that keep the old content of files. */
function staleServices({
  facts,
  files: { desired: tree, changes },
  steps: { prefetch, plan, outdated },
}: Pick<PlannedDeploy, 'facts' | 'files' | 'steps'>) {
  const { stack } = facts.request
  const { project, snapshot } = facts
  const { directory, id } = stack
  const planned = { directory, tree, write: changes.write, project, prefetch, plan }
  return [
    ...staleMounts({ ...planned, containers: snapshot.containers }),
    ...staleBuilds(outdated, id, prefetch, plan),
  ]
}
