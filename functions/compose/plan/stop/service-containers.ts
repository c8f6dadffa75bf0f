import type { Project } from '../../project.ts'
import type { ObservedContainer, Snapshot } from '../../snapshot.ts'

/** What tells which files the existing containers of a project were created from. */
export interface CreatorOptions {
  /** Projects that they can have been created from, besides the one that the plan is about. */
  creators?: readonly Project[]
}

/** The services that an operation names. */
export interface ServiceOptions extends CreatorOptions {
  services: readonly string[]
  /** Overrides the stop timeout of containers. Seconds. */
  timeoutSeconds?: number | undefined
}

/** Returns the containers of a service, without those of one-off commands, by number. */
export function containersOf(
  snapshot: Pick<Snapshot, 'containers'>,
  name: string,
): ObservedContainer[] {
  return snapshot.containers
    .filter(({ service, oneoff }) => service === name && !oneoff)
    .sort((left, right) => left.number - right.number)
}

/** Returns whether a container has a process that a stop would end. */
export function isUp(container: Pick<ObservedContainer, 'state'>): boolean {
  return ['running', 'restarting', 'paused'].includes(container.state)
}
