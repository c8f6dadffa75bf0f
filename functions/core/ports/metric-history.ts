import type { ContainerPoint, HostPoint, HostSample } from '../records/metrics.ts'

/** The samples of hosts and containers. Samples older than an hour are not returned. */
export interface MetricHistory {
  add(hostId: string, sample: HostSample): Promise<void>
  /** Returns the samples of a host, oldest first. */
  ofHost(hostId: string, since: number): Promise<HostPoint[]>
  /** Returns the samples of a container, oldest first; an empty list for an unknown container. */
  ofContainer(hostId: string, containerId: string, since: number): Promise<ContainerPoint[]>
  /** Returns the latest sample of a host, with the containers of that sample only. */
  latest(hostId: string): Promise<HostSample | undefined>
  /** Returns the host's part of its latest sample. */
  lastAt(hostId: string): Promise<HostPoint | undefined>
}
