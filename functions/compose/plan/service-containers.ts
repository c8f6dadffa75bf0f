import type { ObservedContainer, Snapshot } from '../snapshot.ts'

/** The services that an operation names. */
export interface ServiceOptions {
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
