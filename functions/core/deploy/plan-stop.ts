import type { PlanRequest } from '../../compose/plan/plan-request.ts'
import type { Snapshot } from '../../compose/snapshot.ts'
import { Failure } from '../errors.ts'
import { ignoreFailure } from '../ignore-error.ts'
import { judgeLeftVolumes, type LeftVolumes } from '../owners/left-volumes.ts'
import { omitForeign } from '../owners/owned-resources.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import { type ContainerPlan, rulesOf } from '../records/deployment-kinds.ts'
import { type StackRecord, wasEverDeployed } from '../records/stack.ts'
import { loadFiles } from '../stacks/load-project.ts'
import { imagesToRemove } from './down-images.ts'
import { loadEarlier } from './earlier-files.ts'
import type { PreparedDeployment } from './prepared.ts'
import type { DeploymentRequest, PreparePorts } from './request.ts'

/**
 * Plans a start, stop, restart, pause or removal of the containers of a stack. The project supplies
 * only the order: one that does not load, or takes too long to plan, must not keep users from
 * stopping the stack. Hooks run in the containers that were created with them.
 */
export async function planStop(
  request: DeploymentRequest,
  asking: ContainerPlan,
  engine: Engine,
  ports: PreparePorts,
): Promise<PreparedDeployment> {
  const { composer } = ports
  const { stack, files, options } = request
  const [loaded, earlier, { question: asked, warnings }] = await Promise.all([
    loadFiles(stack, files, request, ports).catch(ignoreFailure('load a stack for its stop')),
    loadEarlier(request, ports),
    observed(request, asking, engine, ports),
  ])
  const [project = null, ...creators] = loaded ? [loaded.project, ...earlier] : earlier
  const mode = rulesOf(request).takesDown === 'resources' ? options.removeImages : undefined
  const removed = mode && (await imagesToRemove(request, mode, project, engine, ports))
  const question =
    removed && asked.kind === 'remove'
      ? { ...asked, options: { ...asked.options, images: removed.images } }
      : asked
  const planned =
    project && (await composer.plan({ ...question, project, creators }).catch(ignoreUnlessConflict))
  const { plan } = planned ?? (await composer.plan({ ...question, project: null }))
  return {
    request,
    engine,
    project,
    snapshot: question.snapshot,
    plan,
    resolved: null,
    prefetch: { steps: [], warnings: [] },
    changes: null,
    drift: [],
    moved: [],
    expected: null,
    resets: [],
    stale: [],
    shared: [],
    beyondSavers: [],
    claims: [],
    images: null,
    names: { claim: [], release: [] },
    created: [],
    warnings: [...warnings, ...(removed?.warnings ?? [])],
    planRest: async () => plan,
    checkOwners: async () => [],
  }
}

const ignoreUnplannable = ignoreFailure('plan a stop with its project')

/** A service without containers cannot be started, with the project or without it. */
function ignoreUnlessConflict(error: unknown) {
  if (error instanceof Failure && error.status === 409) throw error
  return ignoreUnplannable(error)
}

/**
 * Returns the question for the planner, without the project. A stop or restart reads only the
 * containers because it changes nothing else.
 */
async function observed(
  request: DeploymentRequest,
  plan: ContainerPlan,
  engine: Engine,
  ports: Needs<'owners'>,
): Promise<{ question: Observed; warnings: string[] }> {
  const { stack } = request
  const { volumes, services, timeoutSeconds } = request.options
  if (plan === 'remove') {
    const asked = { volumes, keptVolumes: stack.keptVolumes, timeoutSeconds }
    const more = rulesOf(request).takesDown === 'resources' ? { keepsUsed: true } : {}
    const { snapshot, left } = await observedRemoval(request, engine, ports)
    const options = { ...asked, ...more, leftVolumes: left.removed }
    const { warnings } = left
    return { question: { kind: 'remove', snapshot, options }, warnings }
  }
  const containers = wasEverDeployed(stack) ? await engine.projectContainers(stack.id) : []
  const snapshot = { containers }
  const question: Observed =
    plan === 'stop'
      ? { kind: plan, snapshot }
      : { kind: plan, snapshot, options: { services, timeoutSeconds } }
  return { question, warnings: [] }
}

/**
 * Returns what a removal finds of a stack, and the volumes with its label that are not the stack's.
 */
async function observedRemoval(
  request: DeploymentRequest,
  engine: Engine,
  ports: Needs<'owners'>,
): Promise<{ snapshot: Snapshot; left: LeftVolumes }> {
  const { stack, options } = request
  const wasDeployed = wasEverDeployed(stack)
  const all = wasDeployed || options.volumes ? await engine.observe(stack.id) : nothingOf(stack)
  const snapshot = wasDeployed ? await omitForeign(all, stack, ports) : nothingOf(stack)
  if (!options.volumes) return { snapshot, left: { removed: [], warnings: [] } }
  const others = all.volumes.filter((one) => !snapshot.volumes.includes(one))
  const names = others.map(({ name }) => name)
  const left = await judgeLeftVolumes(names, request, ports)
  return { snapshot, left }
}

type WithoutProject<Question> = Question extends unknown
  ? Omit<Question, 'project' | 'creators'>
  : never
type Observed = WithoutProject<Exclude<PlanRequest, { kind: 'deploy' | 'pull' | 'build' }>>

/**
 * Returns the snapshot of a stack that was never deployed: anything with its labels belongs to
 * others.
 */
const nothingOf = ({ id }: StackRecord): Snapshot => ({
  project: id,
  containers: [],
  networks: [],
  volumes: [],
})
