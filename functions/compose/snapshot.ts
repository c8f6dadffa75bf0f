/** The state of a project on an Engine at one moment. */
export interface Snapshot {
  project: string
  containers: ObservedContainer[]
  networks: ObservedNetwork[]
  volumes: ObservedVolume[]
}

export interface ObservedContainer {
  id: string
  /** Without the leading slash. */
  name: string
  service: string
  /** `com.docker.compose.container-number`. */
  number: number
  oneoff: boolean
  labels: Record<string, string>
  state: ContainerState
  /** `starting`, `healthy` or `unhealthy`; null without a health check. */
  health: string | null
  exitCode: number | null
  imageId: string
  /** The name that it was created from, or an ID if that name is of another image now. */
  image?: string
  ports: Port[]
  /** Real network name → network id. */
  networks: Record<string, string>
  mounts: ObservedMount[]
  /**
   * When it was last started, in milliseconds since the epoch. Needed only of containers that share
   * namespaces.
   */
  startedAt?: number
  /** It belongs to no project, and has the name of a container of its service: it is replaced. */
  isTakenOver?: true
}

export type ContainerState =
  | 'created'
  | 'running'
  | 'paused'
  | 'restarting'
  | 'removing'
  | 'exited'
  | 'dead'

export interface ObservedMount {
  type: string
  /** Volume name; empty for other types. */
  name: string
  source: string
  destination: string
  /** The container cannot write to it; missing means that it can. */
  readOnly?: boolean
}

export interface ObservedNetwork {
  id: string
  name: string
  labels: Record<string, string>
  /** Ids of the attached containers. */
  containers: string[]
}

export interface ObservedVolume {
  name: string
  labels: Record<string, string>
  /** Missing means `local` without options. */
  driver?: string
  options?: Record<string, string>
}

/** Names that a plan needs to know about. */
export interface ResourceNames {
  networks: string[]
  volumes: string[]
  images: string[]
}

/** The things that exist, by name. */
export interface Resolved {
  networks: Record<string, Omit<ObservedNetwork, 'containers'>>
  volumes: Record<string, ObservedVolume>
  /** Reference → image. */
  images: Record<string, ResolvedImage>
}

/** An image that is on the host. */
export interface ResolvedImage {
  id: string
  /** The reference is the ID of the image or the beginning of it. */
  byId?: true
  /** Repository digests. */
  digests: string[]
  /**
   * When it was last tagged on the host, in milliseconds since the epoch; null if the Engine does
   * not say.
   */
  taggedAt: number | null
  /** Paths at which the image declares volumes; missing if unknown. */
  volumes?: string[]
  /** The labels of the image, which its containers inherit; missing if unknown. */
  labels?: Record<string, string>
  /** Missing if unknown. */
  platform?: Platform
}

/** The platform of an image, as registries write it. */
export interface Platform {
  os: string
  architecture: string
  variant?: string | undefined
}

/** The result of a step: the id of a created thing or of a pulled or built image. */
export interface StepOutcome {
  id?: string
  /** Warnings of the Engine, shown with the step. */
  warnings?: string[]
  /** The references of the images that the Dockerfile of a build uses. */
  bases?: string[]
  /** Labels of a volume that existed already and was not created by this project. */
  existing?: Record<string, string>
}

export interface Port {
  private: number
  public: number | null
  protocol: string
  ip: string | null
}
