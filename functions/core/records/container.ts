import type { ContainerState, Port } from '../../compose/snapshot.ts'

/** Details of a container that lists do not include. */
export interface ContainerRun {
  id: string
  /** The reference that it was created with. */
  image: string
  startedAt: string | null
  finishedAt: string | null
  /** How often the Engine restarted it since it was last started. */
  restarts: number
  /** `no`, `on-failure`, `always` or `unless-stopped`. */
  restartPolicy: string
  /** Why its last start failed, for the user; null if it did not fail. */
  startError: string | null
  /** The kernel ended it because it had used up its memory. */
  outOfMemory: boolean
  /** In one line, what its last health check printed; missing unless that failed. */
  healthOutput?: string
  /** Missing if it has none. */
  healthCheck?: HealthCheck
}

/** When the Engine checks the health of a container. Times are in milliseconds. */
export interface HealthCheck {
  startPeriod: number
  interval: number
  timeout: number
  retries: number
}

export type ContainerAction =
  | { kind: 'start' }
  | { kind: 'stop'; timeoutSeconds?: number }
  | { kind: 'restart'; timeoutSeconds?: number }
  | { kind: 'kill'; signal?: string }

export interface ContainerSummary {
  id: string
  name: string
  image: string
  imageId: string
  state: ContainerState
  /** As in `docker ps`: `Up 3 minutes (healthy)`. */
  status: string
  health: string | null
  /**
   * For how many seconds it has been up, by the Engine's clock, at most an hour; null unless it
   * runs. Lists are exact below a minute, and may be two minutes late above.
   */
  upSeconds: number | null
  /** The exit code of an exited container, parsed from `status`; otherwise null. */
  exitCode: number | null
  createdAt: string
  ports: Port[]
  labels: Record<string, string>
  /** Compose project and service, if the container has the labels. */
  stack: string | null
  service: string | null
  /** Names of the volumes and networks that it uses, whether or not it runs. */
  volumeNames: string[]
  networkNames: string[]
}

export interface ContainerDetails extends ContainerSummary {
  command: string[]
  entrypoint: string[]
  /** `KEY=value` entries, as the Engine reports them. */
  env: string[]
  mounts: { type: string; source: string; destination: string; read_only: boolean }[]
  networks: { name: string; ip_address: string; aliases: string[] }[]
  restartPolicy: string
  startedAt: string | null
  finishedAt: string | null
  /** In one line, what its last health check printed; null unless that failed. */
  healthOutput: string | null
}

/** What a running container can access on its host. */
export interface ContainerAccess {
  id: string
  name: string
  /** `HostConfig` as inspected, including attributes that this code does not know. */
  hostConfig: Readonly<Record<string, unknown>>
  /** All mounts, however they were declared. `name` is that of the volume. */
  mounts: ContainerMount[]
  /** Names of the attached networks. */
  networks: string[]
  /** With version 1, containers are in the host's cgroup namespace by default. */
  cgroupVersion: string
  /** Paths with which a container controls this host, such as the Engine's data and socket. */
  controlPaths: readonly string[]
}

/** A mount of a container, as inspected. */
export interface ContainerMount {
  type: string
  name: string
  source: string
  destination: string
  driver: string
  readOnly: boolean
}

/** A container at one moment. */
export interface ContainerSample {
  id: string
  name: string
  stack: string | null
  service: string | null
  /** Its number in the service; null if it has none. */
  number: number | null
  /** Created by `docker compose run` for one command. */
  oneoff: boolean
  state: ContainerState
  health: string | null
  upSeconds: number | null
  exitCode: number | null
  createdAt: string
  /** Null if it could not be inspected. */
  run: ContainerRun | null
  /** How often its restart policy restarted it since its last explicit start; null if unknown. */
  restarts: number | null
  /** Null if it does not run or the usage is unknown. */
  usage: ContainerUsage | null
}

/**
 * The usage of a container. `cpuPercent` covers the time since the previous sample and is null for
 * the first one.
 */
export type ContainerUsage = Omit<ContainerStats, 'time' | 'cpus' | 'cpuPercent'> & {
  cpuPercent: number | null
}

/**
 * The usage of a container at one moment, as `docker stats` shows it. Sizes are in bytes; network
 * and block sizes are totals since its start.
 */
export interface ContainerStats {
  /** RFC 3339. */
  time: string
  /** Percent of one processor: two busy processors are 200. */
  cpuPercent: number
  cpus: number
  /** Without the page cache. */
  memory: number
  memoryLimit: number
  memoryPercent: number
  networkRx: number
  networkTx: number
  blockRead: number
  blockWrite: number
  pids: number
}

export interface LogLine {
  stream: 'stdout' | 'stderr'
  /** RFC 3339 with nanoseconds, as the Engine stamps it. */
  time: string
  line: string
}

/** A process of a container. Fields that the program `ps` of the host does not show are null. */
export interface ContainerProcess {
  /** The process id on the host. */
  pid: number
  parentPid: number | null
  /** The name or number of the user on the host. */
  user: string | null
  /** When it started, as `ps` shows it: `10:02` or `Nov21`. */
  started: string | null
  /** Processor time, as `ps` shows it: `00:00:04`. */
  cpuTime: string | null
  /** The program and its arguments. */
  command: string
}
