import { ownEntry } from '../../lookup.ts'
import { must } from '../../must.ts'
import type { Project } from '../../project.ts'
import type { ObservedContainer, Resolved, Snapshot } from '../../snapshot.ts'
import type { KeptVolumes } from '../../used-resources.ts'
import type { WriteOptions } from '../add-write.ts'
import type { Decisions } from '../compare/decide.ts'
import type { FetchSteps, PullOptions } from '../fetch/plan-fetches.ts'
import type { Plan } from '../plan-steps.ts'
import type { CreatorOptions } from '../stop/service-containers.ts'

/** The options of a deploy. */
export interface PlanOptions extends PullOptions, CreatorOptions, WriteOptions {
  /** The API version of the Engine, such as `1.41`. */
  apiVersion: string
  forceRecreate: boolean
  /** The services that a deploy names, which are those that `forceRecreate` is about. */
  named?: readonly string[]
  /** Overrides the stop timeout of containers. Seconds. */
  timeoutSeconds?: number | undefined
  removeOrphans: boolean
  /** Only creates containers. Those that are replaced stay stopped too. */
  withoutStart?: boolean
  /** Anonymous volumes of containers removed by a stop; see `collectKeptVolumes`. */
  keptVolumes: Readonly<KeptVolumes>
}

/** The state of planning a deploy: the decisions, and the steps that later steps wait for. */
export interface Planning {
  project: Project
  snapshot: Snapshot
  resolved: Resolved
  options: PlanOptions
  /** Projects of earlier files that the containers can have been created from. */
  creators: readonly Project[]
  plan: Plan
  /** Service → decision, in dependency order. */
  decisions: Decisions
  /** Also the decisions that keep the containers of services that are left out. */
  joinable: Decisions
  files: number | undefined
  fetches: FetchSteps
  /**
   * Service → the steps that remove its surplus containers. The key `null` has those that remove
   * orphans.
   */
  removals: Map<string | null, number[]>
  /** Network key → the step that creates it. */
  networks: Map<string, number>
  /** Volume key → the step that creates it. */
  volumes: Map<string, number>
  /** Name of a volume that may be empty → the step that creates the first container with it. */
  seeds: Map<string, number>
  /** Container ID → the step that stops it. */
  stops: Map<string, number>
  timeoutSeconds?: number | undefined
  /** Name at creation → the steps that create the container and connect it to its networks. */
  created: Map<string, number[]>
  /** Container ID → the steps that disconnect it from replaced networks and connect it again. */
  moves: Map<string, number[]>
  /** Container ID → the name it gets, and the step that renames it. */
  renames: Map<string, { to: string; step: number }>
  starts: StartDraft[]
}

/** A container to start. */
export interface StartDraft {
  service: string
  number: number
  /** The name of the container at the time of the start. */
  name: string
  reason: string
  after: number[]
  /** The container was never started: secrets and configs have to be uploaded. */
  fresh: boolean
  /** The container, unless the plan creates it. */
  container?: ObservedContainer
}

/** Returns the ID of an image unless a step of the plan pulls or builds it. */
export function knownImage({ fetches, resolved }: Planning, image: string): string | undefined {
  return fetches.has(image) ? undefined : ownEntry(resolved.images, image)?.id
}

/** Returns the steps that create a container and connect it, by its name at creation. */
export const createdBy = ({ created }: Planning, name: string): number[] =>
  must(created.get(name), `creation of ${name}`)

/** Returns the steps that free the names and ports that a service's containers need. */
export function freeingSteps({ removals }: Planning, service: string): number[] {
  return [...(removals.get(null) ?? []), ...(removals.get(service) ?? [])]
}
