import type {
  InspectedContainer,
  ListedContainer,
  OwnContainerId,
  ServiceProcess,
} from '../records/installation.ts'

/** Where the parts of the installation run, as they reported it. */
export interface InstallationRecords {
  processes: readonly ServiceProcess[]
  /** The agents of hosts that are not revoked. */
  agents: readonly ReportedAgent[]
  /** The stacks that were ever deployed. */
  stacks: readonly { id: string; hostId: string }[]
}

export interface ReportedAgent {
  hostId: string
  /** Undefined for an agent of an earlier version, which does not report it. */
  container: OwnContainerId | undefined
  hostname: string
}

/** What an Engine has, as far as it decides what is the installation's. */
export interface EngineFacts {
  hostId: string
  /** The Engine is that of the machine of this process. */
  isLocal: boolean
  /** Null if it is unknown. */
  engineId: string | null
  stacksDirectory: string
  containers: readonly ListedContainer[]
  networks: readonly { name: string; labels: Readonly<Record<string, string>> }[]
  /** Returns undefined for a container that was removed since. */
  inspect(id: string): Promise<InspectedContainer | undefined>
}

/** Returns whether the process runs on the machine of this Engine. */
export const isProcessOf = (
  { engineId, isLocal }: Pick<EngineFacts, 'engineId' | 'isLocal'>,
  one: ServiceProcess,
): boolean => (one.engineId === null ? isLocal : one.engineId === engineId)

/** Returns whether a path is a socket of an Engine, such as `/var/run/docker.sock`. */
export const isSocket = (path: string): boolean => /\/(?:docker|podman)\.sock$/.test(path)
