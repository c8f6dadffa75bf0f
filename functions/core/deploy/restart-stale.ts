import { ownEntry } from '../../compose/lookup.ts'
import { dependencies } from '../../compose/plan/order.ts'
import type { Plan } from '../../compose/plan/plan-steps.ts'
import { restartingServices } from '../../compose/plan/restarting-services.ts'
import type { Project } from '../../compose/project.ts'
import type { ObservedContainer } from '../../compose/snapshot.ts'
import type { Step } from '../../compose/step.ts'
import type { Composer } from '../ports/composer.ts'
import type { PlannedFiles } from './plan-files.ts'
import type { DeploymentRequest } from './request.ts'
import { changingServices, namedPaths, type PlannedWrites, stalePaths } from './stale-mounts.ts'

/** A plan, and what decides which services it restarts. */
export interface RestartQuestion {
  request: Pick<DeploymentRequest, 'options' | 'restarting' | 'stack'>
  files: Pick<PlannedFiles, 'changes' | 'desired'>
  project: Project
  /** Projects that the containers can have been created from. */
  creators: readonly Project[]
  containers: readonly ObservedContainer[]
  plan: Plan
  /** The pulls and builds that the plan depends on, if they have not run. */
  prefetch: Plan
}

/**
 * Returns the plan of a deploy that a source or a hook began, with restarts of the services that
 * would see the old content of a mounted file: no person reads the warning. Services that restart
 * with them do too, and those that are paused or stopped stay so.
 */
export async function withRestarts(
  question: RestartQuestion,
  composer: Pick<Composer, 'plan'>,
): Promise<Plan> {
  const { request, plan, project, creators } = question
  const { source, byHook, withoutStart, timeoutSeconds } = request.options
  if (withoutStart || (!source && !byHook)) return plan
  const containers = question.containers.filter(isRunning)
  const planned = { ...writesOf(question), containers }
  const changing = changingServices(planned)
  const stale = stalePaths(planned)
  for (const service of servicesOf(request.restarting ?? [], containers)) {
    if (!changing.has(service) && !stale.has(service)) stale.set(service, [])
  }
  for (const name of sharedByChanging(project, changing)) stale.delete(name)
  if (stale.size === 0) return plan
  const asked = {
    kind: 'restart' as const,
    project,
    creators: [...creators],
    snapshot: { containers: containers.filter(({ service }) => !changing.has(service)) },
    options: { services: [...stale.keys()], timeoutSeconds },
  }
  const { plan: restart } = await composer.plan(asked)
  const added = restart.steps.map((step) => addedStep(step, stale, { plan, project }))
  return {
    steps: [...plan.steps, ...added],
    warnings: [...plan.warnings, ...restart.warnings],
  }
}

/** A stop by a person lasts. */
const isRunning = ({ state, oneoff }: ObservedContainer): boolean =>
  !oneoff && (state === 'running' || state === 'restarting')

const servicesOf = (names: readonly string[], containers: readonly ObservedContainer[]) =>
  containers.flatMap(({ name, service }) => (names.includes(name) ? service : []))

const writesOf = ({
  request: { stack },
  files: { changes, desired },
  project,
  plan,
  prefetch,
}: RestartQuestion): Omit<PlannedWrites, 'containers'> => ({
  directory: stack.directory,
  tree: desired,
  write: changes.write,
  project,
  plan,
  prefetch,
})

/**
 * Returns the services with which services restart that the plan changes already: these would be
 * cut off by a later restart. Their warning stays.
 */
const sharedByChanging = (project: Project, changing: ReadonlySet<string>): string[] =>
  restartingServices(project.services).flatMap(({ service, restartsWith }) =>
    changing.has(service) ? restartsWith : [],
  )

/** Returns a step of the restarts as one of the plan: after the write and what it depends on. */
function addedStep(
  step: Step,
  stale: ReadonlyMap<string, readonly string[]>,
  { plan, project }: { plan: Plan; project: Project },
): Step {
  const first = plan.steps.length
  const own = ownEntry(project.services, step.service ?? '')
  const needs = new Set(own ? dependencies(own) : [])
  const before = plan.steps.filter(
    ({ action, kind, service }) =>
      action === 'write' || (kind === 'container' && service !== null && needs.has(service)),
  )
  const paths = step.service === null ? undefined : stale.get(step.service)
  const isOfFile = step.action === 'restart' && paths !== undefined
  return {
    ...step,
    index: first + step.index,
    after: [...before.map(({ index }) => index), ...step.after.map((index) => first + index)],
    ...(isOfFile && { reason: reasonOf(paths) }),
  }
}

const reasonOf = (paths: readonly string[]): string =>
  paths.length === 0 ? 'mounted file changed' : `mounted file changed: ${namedPaths(paths)}`
