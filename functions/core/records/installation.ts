/**
 * Why a container is a member of the installation: a process of the service, its store or an agent
 * runs in it, it is a helper container of this service, or a label on it says so.
 */
export type MemberKind = 'service' | 'store' | 'agent' | 'helper' | 'labelled'

/** What belongs to the service itself on one host. */
export interface Installation {
  /** By full ID. */
  containers: ReadonlyMap<string, MemberKind>
  volumes: ReadonlySet<string>
  networks: ReadonlySet<string>
  /** Those in which the store answers: what is in one can change every record. */
  storeNetworks: ReadonlySet<string>
  /** Names and aliases that its containers have, or look up, by network that others made. */
  joined: ReadonlyMap<string, ReadonlySet<string>>
  /** IDs of the images that its containers run. */
  images: ReadonlySet<string>
  /**
   * Paths on the host with its records and keys, and `.env` of its compose files: with one, a
   * container controls the service.
   */
  directories: readonly string[]
  /** Compose projects of its service and store, which cannot be stacks. */
  projects: ReadonlySet<string>
  /** Names of the stacks of the host, so that what has their labels is not taken for others'. */
  stacks: ReadonlySet<string>
}

/**
 * Where a program runs: the full ID of its container, `none` outside of containers, or `unknown` in
 * a container whose ID it cannot find.
 */
export type OwnContainerId = string

/** A process of the service, as it registers where it runs. The record outlives the process. */
export interface ServiceProcess {
  /** The ID of its container, or a name of its machine and data directory. */
  id: string
  container: OwnContainerId
  /** The name of its machine or container. */
  machine: string
  /** As the process sees it: a path of the host if it runs in no container. */
  dataDirectory: string
  /** The ID of the Engine of its machine; null if that never responded. */
  engineId: string | null
  /** The address of its store; null if the store is a part of the process. */
  store: StoreAddress | null
}

export interface StoreAddress {
  host: string
  port: number
  /** The host is the machine that the process runs on. */
  isLocal: boolean
}

/** A container as an Engine lists it. */
export interface ListedContainer {
  id: string
  name: string
  imageId: string
  labels: Readonly<Record<string, string>>
  isHelper: boolean
  /** `HostConfig.NetworkMode`, such as `host` or `container:<id>`. */
  networkMode: string
  /** Name of a network → address in it; empty while the container does not run. */
  networks: Readonly<Record<string, string>>
  published: readonly PublishedPort[]
  mounts: readonly { type: string; name: string; source: string; destination: string }[]
}

export interface PublishedPort {
  port: number
  /** Empty for all addresses. */
  ip: string
}

/** What the Engine tells of a container only when asked about it. */
export interface InspectedContainer {
  hostname: string
  /** Name of a network → names of the container in it. */
  aliases: Readonly<Record<string, readonly string[]>>
  gateways: readonly string[]
  /** Names of its environment variables. */
  variables: readonly string[]
  /** Also while the container does not run. */
  published: readonly PublishedPort[]
}
