import type { ChangedFields } from '../../compose/plan/compare/explain-changes.ts'
import type { PlanRequest } from '../../compose/plan/plan-request.ts'
import type { Plan } from '../../compose/plan/plan-steps.ts'
import { checkFetched, decideImages, refuseMoved, warnOfMoved } from '../images/decide-images.ts'
import { rulesOf } from '../records/deployment-kinds.ts'
import { type ChangedBuild, changedBuilds } from '../stacks/changed-builds.ts'
import type { DeployImages } from './decide-deploy-images.ts'
import { deploySnapshot } from './deploy-snapshot.ts'
import { loadEarlier } from './earlier-files.ts'
import { explainPlans, withChangedFields } from './explain-plans.ts'
import { changedPaths } from './host-changes.ts'
import type { DeployFacts } from './observe-deploy.ts'
import type { PlannedFiles } from './plan-files.ts'
import type { PreparedDeployment } from './prepared.ts'
import type { PreparePorts } from './request.ts'
import { withRestarts } from './restart-stale.ts'

/** The steps of a deploy, and how the rest is planned after its pulls and builds. */
export interface DeploySteps extends Pick<PreparedDeployment, 'prefetch' | 'plan' | 'planRest'> {
  /** The images that are older than their files. */
  outdated: readonly ChangedBuild[]
}

/** Plans the steps of a deploy. */
export async function planDeploySteps(
  facts: DeployFacts,
  images: DeployImages,
  files: PlannedFiles,
  ports: PreparePorts,
): Promise<DeploySteps> {
  const { request, loaded, project, snapshot } = facts
  const { stack, files: wanted } = request
  const { resolved } = images.decided
  const built = { ...facts, stack, files: wanted, images: resolved.images }
  const isNewest = rulesOf(request).revision === 'newest'
  const outdated = isNewest ? await changedBuilds(built, ports) : []
  const question = {
    kind: 'deploy' as const,
    project,
    creators: snapshot.containers.length > 0 ? await loadEarlier(request, ports) : [],
    resolved,
    snapshot,
    options: { ...planOptions(facts, files), changedBuilds: changesOf(outdated) },
  }
  const planned = await ports.composer.plan(question)
  const changed = await explainPlans(
    [planned.prefetch, planned.plan],
    request,
    { project, files: loaded.read, containers: snapshot.containers },
    ports,
  )
  const prefetch = withChangedFields(planned.prefetch, changed)
  const before = { facts, images, files, question, changed, prefetch }
  const plan = withChangedFields(planned.plan, changed)
  const { creators } = question
  const asked = { request, files, project, creators, containers: snapshot.containers }
  return {
    prefetch,
    plan: await withRestarts({ ...asked, plan, prefetch }, ports.composer),
    outdated,
    planRest: (fetched) => planAfterFetches(before, fetched, ports),
  }
}

/** What was planned before the pulls and builds. */
interface PlannedBefore extends Pick<PreparedDeployment, 'prefetch'> {
  facts: DeployFacts
  images: DeployImages
  files: PlannedFiles
  question: Extract<PlanRequest, { kind: 'deploy' }>
  changed: ChangedFields
}

/** Implements `PreparedDeployment.planRest`. */
async function planAfterFetches(
  { facts, images, files, question, changed, prefetch }: PlannedBefore,
  fetchedImages: ReadonlyMap<string, string>,
  ports: PreparePorts,
) {
  const { request, engine, project, names } = facts
  const { id } = request.stack
  const [observed, found] = await Promise.all([engine.observe(id), engine.resolve(names)])
  checkFetched(found, fetchedImages)
  const snapshot = await deploySnapshot(observed, project, request.options, engine)
  const fetched = [...fetchedImages.keys()]
  const evidence = { ...images.evidence, recorded: images.recorded, accepted: fetched }
  const { resolved, moved } = decideImages(evidence, snapshot, found)
  const isWritten = prefetch.steps.some(({ action }) => action === 'write')
  const options = { ...question.options, ...(isWritten ? { files: [] } : {}), fetched }
  const composer = ports.composer.inBackground()
  const { plan } = await composer.plan({ ...question, snapshot, resolved, options })
  refuseMoved(id, warnOfMoved(plan, prefetch, moved), plan)
  const { creators = [] } = question
  const asked = { request, files, project, creators, containers: snapshot.containers }
  const rest = { plan: withChangedFields(plan, changed), prefetch: noSteps }
  return withRestarts({ ...asked, ...rest }, composer)
}

const noSteps: Plan = { steps: [], warnings: [] }

/** Returns what decides the steps of a plan apart from the project and the host. */
const planOptions = (
  { request: { stack, options }, apiVersion, startedAt }: DeployFacts,
  { changes }: PlannedFiles,
) => ({
  apiVersion,
  pull: options.pull,
  build: options.build,
  retag: options.retag,
  forceRecreate: options.forceRecreate,
  removeOrphans: options.removeOrphans,
  withoutStart: options.withoutStart ?? false,
  files: changedPaths(changes),
  keptVolumes: stack.keptVolumes,
  ...(options.services.length > 0 ? { named: options.services } : {}),
  timeoutSeconds: options.timeoutSeconds,
  now: startedAt,
})

/** Returns what changed of the build of each image. */
const changesOf = (changed: readonly ChangedBuild[]): Record<string, string> =>
  Object.fromEntries(changed.map(({ image, what }) => [image, what]))
