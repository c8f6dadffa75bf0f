import type { ObservedContainer, Resolved, Snapshot } from '../../engine/engine.ts'
import type { Project } from '../project.ts'
import type { Decisions } from './decide.ts'
import type { Plan } from './draft.ts'
import type { Fetches, PullOptions } from './image-plan.ts'
import type { KeptVolumes } from './wanted.ts'

/** How a project is to be brought up. */
export interface PlanOptions extends PullOptions {
  /** The Engine's, such as `1.41`. */
  apiVersion: string
  forceRecreate: boolean
  removeOrphans: boolean
  /** Files to be written into the project's directory first; none when they are there as they should be. */
  files: readonly { path: string; mode: number }[]
  /** Anonymous volumes of containers that a stop removed; see `keepVolumes`. */
  keptVolumes: Readonly<KeptVolumes>
}

/** A plan of a deploy in the making: what was decided, and which steps later ones have to wait for. */
export interface Planning {
  project: Project
  snapshot: Snapshot
  resolved: Resolved
  options: PlanOptions
  plan: Plan
  /** Service → decision, each after those it depends on. */
  decisions: Decisions
  files: number | undefined
  fetches: Fetches
  /** Service → the steps that removed containers beyond its scale; under `null` those that removed orphans. */
  removals: Map<string | null, number[]>
  /** Network key → the step that created it. */
  networks: Map<string, number>
  /** Volume key → the step that created it. */
  volumes: Map<string, number>
  /** Container id → the step that stopped it. */
  stops: Map<string, number>
  /** Created container, by the name it was created under → its creation, then its connections. */
  created: Map<string, number[]>
  /** Container id → the steps that take it from networks that are replaced and put it back. */
  moves: Map<string, number[]>
  /** Container id → the name it gets, and the step that gives it. */
  renames: Map<string, { to: string; step: number }>
  starts: StartDraft[]
}

/** A container that is to be started. */
export interface StartDraft {
  service: string
  number: number
  /** Its name at the time of the start. */
  name: string
  reason: string
  after: number[]
  /** Never started before: contents of secrets and configs have to be put in. */
  fresh: boolean
}

/** True while a container has a process that a stop would end. */
export function isUp(container: ObservedContainer): boolean {
  return ['running', 'restarting', 'paused'].includes(container.state)
}

/** The id of an image that is there and that no step of the plan brings anew. */
export function knownImage({ fetches, resolved }: Planning, image: string): string | undefined {
  return fetches.has(image) ? undefined : resolved.images[image]?.id
}

/** Steps after which the names and ports that a service's containers need are free. */
export function freed({ removals }: Planning, service: string): number[] {
  return [...(removals.get(null) ?? []), ...(removals.get(service) ?? [])]
}
