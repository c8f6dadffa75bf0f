import type { PlanRequest } from '../../compose/plan/plan-request.ts'
import type { RemoveOptions } from '../../compose/plan/stop/plan-stop.ts'
import type { Snapshot } from '../../compose/snapshot.ts'
import { Failure } from '../errors.ts'
import { ignoreFailure } from '../ignore-error.ts'
import { judgeLeftVolumes } from '../owners/left-volumes.ts'
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
export async function planContainers(
  request: DeploymentRequest,
  asking: ContainerPlan,
  engine: Engine,
  ports: PreparePorts,
): Promise<PreparedDeployment> {
  const { composer } = ports
  const { stack, files, options } = request
  const [loaded, earlier, { question: asked, others }] = await Promise.all([
    loadFiles(stack, files, request, ports).catch(ignoreFailure('load a stack for its stop')),
    loadEarlier(request, ports),
    observed(request, asking, engine, ports),
  ])
  const [project = null, ...creators] = loaded ? [loaded.project, ...earlier] : earlier
  const mode = rulesOf(request).takesDown === 'resources' ? options.removeImages : undefined
  const removed = mode && (await imagesToRemove(request, mode, project, engine, ports))
  const { externalVolumes } = loaded ?? {}
  const left = await judgeLeftVolumes(others, { ...request, external: externalVolumes }, ports)
  const question = withOptions(asked, { images: removed?.images ?? [], externalVolumes })
  const whole = withOptions(question, { leftVolumes: left.removed })
  const planned =
    project && (await composer.plan({ ...whole, project, creators }).catch(ignoreUnlessConflict))
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
    imageNames: { claim: [], release: [] },
    created: [],
    warnings: [...left.warnings, ...(planned ? [] : left.unplanned), ...(removed?.warnings ?? [])],
    planRest: async () => plan,
    checkOwners: async () => [],
  }
}

/** Returns a question about a removal with more options, and other questions as they are. */
const withOptions = (question: Observed, more: Partial<RemoveOptions>): Observed =>
  question.kind === 'remove' ? { ...question, options: { ...question.options, ...more } } : question

const ignoreUnplannable = ignoreFailure('plan a stop with its project')

/** A service without containers cannot be started, with the project or without it. */
function ignoreUnlessConflict(error: unknown) {
  if (error instanceof Failure && error.status === 409) throw error
  return ignoreUnplannable(error)
}

/**
 * Returns the question for the planner, without the project, and the names of the volumes that have
 * the label of a stack that is removed with its volumes but are not the stack's. A stop or restart
 * reads only the containers because it changes nothing else.
 */
async function observed(
  request: DeploymentRequest,
  plan: ContainerPlan,
  engine: Engine,
  ports: Needs<'owners'>,
): Promise<{ question: Observed; others: string[] }> {
  const { stack } = request
  const { volumes, services, timeoutSeconds } = request.options
  if (plan === 'remove') {
    const asked = { volumes, keptVolumes: stack.keptVolumes, timeoutSeconds }
    const more = rulesOf(request).takesDown === 'resources' ? { keepsUsed: true } : {}
    const { snapshot, others } = await observedRemoval(request, engine, ports)
    const options = { ...asked, ...more }
    return { question: { kind: 'remove', snapshot, options }, others }
  }
  const containers = wasEverDeployed(stack) ? await engine.projectContainers(stack.id) : []
  const snapshot = { containers }
  const question: Observed =
    plan === 'stop'
      ? { kind: plan, snapshot, options: { timeoutSeconds } }
      : { kind: plan, snapshot, options: { services, timeoutSeconds } }
  return { question, others: [] }
}

/**
 * Returns what a removal finds of a stack, and the volumes with its label that are not the stack's.
 */
async function observedRemoval(
  request: DeploymentRequest,
  engine: Engine,
  ports: Needs<'owners'>,
): Promise<{ snapshot: Snapshot; others: string[] }> {
  const { stack, options } = request
  const wasDeployed = wasEverDeployed(stack)
  const all = wasDeployed || options.volumes ? await engine.observe(stack.id) : nothingOf(stack)
  const snapshot = wasDeployed ? await omitForeign(all, stack, ports) : nothingOf(stack)
  if (!options.volumes) return { snapshot, others: [] }
  const others = all.volumes.filter((one) => !snapshot.volumes.includes(one))
  return { snapshot, others: others.map(({ name }) => name) }
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
