/** A stop of a container. It ends with that run: a later start makes it void. */
export interface ContainerStop {
  /** The start time of the run that was stopped, as the Engine reports it. */
  startedAt: string | null
  /** The user who stopped it with this service; null if it was stopped on the host. */
  by: string | null
  /** Milliseconds since the epoch: by the Engine's clock if it was stopped on the host. */
  at: number
}

/** The known stops of the containers of a host. */
export interface HostStops {
  /** The ID of the host. */
  id: string
  /** By container ID; at most `stopsMax`. */
  stops: Record<string, ContainerStop>
}

/** The newest stops that are kept for a host. */
export const stopsMax = 1000
