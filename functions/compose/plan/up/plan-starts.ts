import { uploadedFiles } from '../../create/file-objects.ts'
import { picksFromRange } from '../../create/ports.ts'
import { serviceOf } from '../../lookup.ts'
import type { ObservedContainer } from '../../snapshot.ts'
import { decisionOf } from '../compare/decide.ts'
import { isFinishedJob } from '../compare/job.ts'
import { addStep, type StepContext } from '../plan-steps.ts'
import { ownHooks } from '../stop/own-hooks.ts'
import { isUp } from '../stop/service-containers.ts'
import { addHook } from '../stop/stop-container.ts'
import { conflictingStops } from './conflicting-stops.ts'
import { filesStep } from './plan-creation.ts'
import { planPreStart } from './plan-pre-start.ts'
import { freeingSteps, type Planning, type StartDraft } from './planning-state.ts'
import { conditionSteps, type Started } from './start-conditions.ts'

/**
 * Adds the start of every container that should run and does not, after the conditions of its
 * dependencies. Starts run in parallel, except those where the Engine picks a host port from a
 * range.
 */
export function planStarts(planning: Planning): void {
  const started: Started = new Map()
  const waits = new Map<string, number>()
  let range: number | undefined
  for (const name of planning.decisions.keys()) {
    const drafts = draftsOf(planning, name)
    const [first] = drafts
    if (first === undefined) continue
    const ranged = picksFromRange(serviceOf(planning.project, name))
    const conditions = [
      ...conditionSteps(planning, name, started, waits),
      ...conflictingStops(planning, name),
    ]
    const steps = new Map<string, number>()
    const before = [...drafts.flatMap(({ after }) => after), ...conditions]
    const prepared = planPreStart(planning, first, [
      ...before,
      ...freeingSteps(planning, name),
      filesStep(planning, name),
    ])
    for (const draft of drafts) {
      const own = [...conditions, prepared, ranged ? range : undefined]
      const start = planStart(planning, draft, own)
      if (ranged) range = start
      steps.set(draft.name, planHooks(planning, draft, start))
    }
    started.set(name, steps)
  }
}

/**
 * Returns the starts of a service: those requested by earlier phases, and those of containers that
 * are up to date but not running.
 */
function draftsOf(planning: Planning, name: string): StartDraft[] {
  const drafts = new Map<string, StartDraft>()
  for (const draft of planning.starts) {
    if (draft.service !== name) continue
    const known = drafts.get(draft.name)
    drafts.set(draft.name, { ...draft, after: [...(known?.after ?? []), ...draft.after] })
  }
  for (const container of decisionOf(planning.decisions, name).keep) {
    // The Engine refuses to start a paused container. A deploy must report that rather than treat
    // the container as running.
    const runs = isUp(container) && container.state !== 'paused'
    if (runs || isFinishedJob(planning.project, container)) continue
    const renamed = planning.renames.get(container.id)
    const draft: StartDraft = {
      service: name,
      number: container.number,
      name: renamed?.to ?? container.name,
      reason: whyStart(container),
      after: [...(planning.moves.get(container.id) ?? []), ...(renamed ? [renamed.step] : [])],
      fresh: container.state === 'created',
      container,
    }
    if (!drafts.has(draft.name)) drafts.set(draft.name, draft)
  }
  return [...drafts.values()].sort((left, right) => left.number - right.number)
}

function whyStart({ state, exitCode }: ObservedContainer): string {
  if (state === 'paused') return 'paused'
  return state === 'created' ? 'never started' : `exited ${exitCode ?? ''}`.trim()
}

function planStart(
  planning: Planning,
  draft: StartDraft,
  conditions: readonly (number | undefined)[],
): number {
  const { plan, project } = planning
  const about: StepContext = { reason: draft.reason, service: draft.service, after: draft.after }
  const files = draft.fresh ? uploadedFiles(project, serviceOf(project, draft.service)) : []
  const own: (number | undefined)[] =
    files.length === 0
      ? draft.after
      : [addStep(plan, about, { action: 'upload', kind: 'container', name: draft.name, files })]
  const after = [
    ...own,
    ...conditions,
    ...freeingSteps(planning, draft.service),
    filesStep(planning, draft.service),
  ]
  return addStep(
    plan,
    { ...about, after },
    { action: 'start', kind: 'container', name: draft.name },
  )
}

function planHooks(planning: Planning, draft: StartDraft, start: number): number {
  const { service, container } = draft
  const hooks = container
    ? ownHooks('post_start', container, planning)
    : (serviceOf(planning.project, service).post_start ?? [])
  let last = start
  for (const hook of hooks) {
    const about: StepContext = { reason: 'post_start', service, after: [last] }
    last = addHook(planning.plan, about, draft.name, { hook, required: true })
  }
  return last
}
