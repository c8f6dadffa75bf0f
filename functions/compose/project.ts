import type { Service } from './service.ts'
import type { Extensions } from './service-parts.ts'

/** The input of the loader. The loader reads no disk and no process environment. */
export interface ComposeInput {
  /** The project name. A `name:` in a file that differs is an error. */
  name: string
  /** The absolute path of the project on the host. Relative paths are resolved against it. */
  directory: string
  /** Keys of `files`, in merge order: `compose.yaml`, then the overlay. */
  composeFiles: string[]
  /** Text files of the stack, including `.env`, by path relative to the directory. */
  files: Record<string, string>
  /**
   * Files of the stack whose text is not in `files`: path → bytes. If the project refers to one of
   * them, loading it throws `UnreadFiles`.
   */
  unread?: Record<string, number>
  /** Links of the stack, as path → target relative to the link's directory. */
  links?: Record<string, string>
  /** Variables that take precedence over `.env`. */
  environment: Record<string, string>
  /**
   * Variables over which `.env` takes precedence: name → value. They are no file, so that
   * `env_file` cannot name them. Loads that hide values hide all of them.
   */
  shared?: Record<string, string>
  profiles: string[]
  /** Keeps the networks and volumes that no service uses, unless they are external. */
  allResources?: true
  reach: Reach
  /**
   * Registries that a project with the reach `stack` may use in addition to those with public DNS
   * names, as `host[:port]`. The default is none.
   */
  registries?: readonly string[]
  /** Also returns what a project with the reach `stack` may not access. */
  listsPrivileged?: true
  /**
   * Files whose content the caller may not see, as keys of `files`. Only loads that hide values
   * look at it.
   */
  secret?: readonly string[]
  /** Host paths that containers of earlier deployments could write to; see `recordWritable`. */
  writable?: readonly string[]
}

/**
 * What the containers of a project may access: anything on the host, or only the stack's own
 * directory (see `policy`).
 */
export type Reach = 'host' | 'stack'

/** The resolved model, in the form and with the names of `docker compose config --format json`. */
export interface Project {
  name: string
  /** Absolute, on the host. */
  working_dir: string
  /** Absolute paths of the compose files, on the host, in merge order. */
  config_files: string[]
  services: Record<string, Service>
  /** Services that no active profile includes. */
  disabled_services: Record<string, Service>
  /** Services that the current operation leaves as they are. Absent if it is about all services. */
  left_out?: Record<string, Service>
  /** Also creates the networks and volumes that no service uses. */
  all_resources?: true
  networks: Record<string, NetworkConfig>
  volumes: Record<string, VolumeConfig>
  secrets: Record<string, FileObject>
  configs: Record<string, FileObject>
  models: Record<string, ModelConfig>
  /**
   * Services as their config hash sees them, for services that run with a different image than
   * their file names.
   */
  hashed?: Record<string, Service>
  /**
   * Seccomp profiles that services refer to, by file name: compact JSON. Absent if there are none.
   */
  seccomp_profiles?: Record<string, string>
  /** Top-level `x-` attributes. */
  extensions: Extensions
}

/** The resources of a project before references between them are checked. */
export type BoundModel = Pick<
  Project,
  'services' | 'networks' | 'volumes' | 'secrets' | 'configs' | 'models' | 'extensions'
>

/** A network of the project. `name` is its name on the Engine. */
export interface NetworkConfig {
  name: string
  driver?: string
  driver_opts?: Record<string, string>
  /** Always present; empty if the file has no `ipam`. */
  ipam: IpamConfig
  external?: true
  internal?: boolean
  attachable?: boolean
  labels?: Record<string, string>
  enable_ipv4?: boolean
  enable_ipv6?: boolean
}

export interface IpamConfig {
  driver?: string
  config?: IpamPool[]
  options?: Record<string, string>
}

export interface IpamPool {
  subnet?: string
  gateway?: string
  ip_range?: string
  aux_addresses?: Record<string, string>
}

/** A named volume of the project. `name` is its name on the Engine. */
export interface VolumeConfig {
  name: string
  driver?: string
  driver_opts?: Record<string, string>
  external?: true
  labels?: Record<string, string>
}

/**
 * A secret or a config. The content comes from `file` (an absolute path on the host) or from
 * `content` (inline, or taken from the variable that `environment` names). External objects have
 * neither.
 */
export interface FileObject {
  name: string
  file?: string
  environment?: string
  content?: string
  external?: true
  labels?: Record<string, string>
  driver?: string
  driver_opts?: Record<string, string>
  template_driver?: string
}

/** An AI model of the project. The loader accepts it; a deploy refuses it. */
export interface ModelConfig {
  name?: string
  model?: string
  context_size?: number
  runtime_flags?: string[]
}
