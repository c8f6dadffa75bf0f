import type { ObservedContainer } from '../../engine/engine.ts'
import { uploadedFiles } from '../create/file-objects.ts'
import { picksFromRange } from '../create/ports.ts'
import { filesStep } from './create-plan.ts'
import { type About, add } from './draft.ts'
import { isFinishedJob } from './job.ts'
import { freed, isUp, type Planning, type StartDraft } from './planning.ts'
import { planPreStart } from './pre-start-plan.ts'
import { addHook } from './stop-container.ts'
import { vacated } from './vacate-plan.ts'
import { conditionSteps, type Started } from './wait-plan.ts'

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
    if (drafts.length === 0) continue
    const ranged = picksFromRange(planning.project.services[name]!)
    const conditions = [
      ...conditionSteps(planning, name, started, waits),
      ...vacated(planning, name),
    ]
    const steps = new Map<string, number>()
    const before = [...drafts.flatMap(({ after }) => after), ...conditions]
    const prepared = planPreStart(planning, drafts[0]!, [
      ...before,
      ...freed(planning, name),
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
  for (const container of planning.decisions.get(name)!.keep) {
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
  const about: About = { reason: draft.reason, service: draft.service, after: draft.after }
  const files = draft.fresh ? uploadedFiles(project, project.services[draft.service]!) : []
  const own: (number | undefined)[] =
    files.length === 0
      ? draft.after
      : [add(plan, about, { action: 'upload', kind: 'container', name: draft.name, files })]
  const after = [
    ...own,
    ...conditions,
    ...freed(planning, draft.service),
    filesStep(planning, draft.service),
  ]
  return add(plan, { ...about, after }, { action: 'start', kind: 'container', name: draft.name })
}

function planHooks(planning: Planning, draft: StartDraft, start: number): number {
  let last = start
  for (const hook of planning.project.services[draft.service]!.post_start ?? []) {
    const about: About = { reason: 'post_start', service: draft.service, after: [last] }
    last = addHook(planning.plan, about, draft.name, { hook, required: true })
  }
  return last
}
