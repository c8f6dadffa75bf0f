import type { PlacedReference } from '../owners/references.ts'
import type { Service } from './service.ts'

/** What the loader is given: texts only. Nothing is read from a disk or from the process's environment. */
export interface ComposeInput {
  /** The project's name; a `name:` in a file that differs is refused. */
  name: string
  /** Where the project lives on the host, absolute. Relative paths are resolved against it. */
  directory: string
  /** Keys of `files`, in merge order: `compose.yaml`, then the overlay. */
  composeFiles: string[]
  /** Every text of the stack by its path relative to the directory, `.env` among them. */
  files: Record<string, string>
  /** Variables that win over `.env`. */
  environment: Record<string, string>
  profiles: string[]
  reach: Reach
  /**
   * Registries that a project with the reach `stack` may use in addition to those with public DNS
   * names, as `host[:port]`; none by default.
   */
  registries?: readonly string[]
  /** Paths of the host that containers of earlier deployments could write; see `recordWritable`. */
  writable?: readonly string[]
}

/**
 * What the containers of a project may reach: whatever the file asks for of their host, or only the stack's own directory
 * (see `policy`).
 */
export type Reach = 'host' | 'stack'

/** A project that loaded, and what a person should know about it. */
export interface LoadedProject {
  project: Project
  warnings: string[]
  /** Volumes and networks that it uses, with their places in the files. */
  references: PlacedReference[]
}

/** The resolved model, in the form and with the names of `docker compose config --format json`. */
export interface Project {
  name: string
  /** Absolute, on the host. */
  working_dir: string
  /** Absolute paths of the compose files, on the host, in merge order. */
  config_files: string[]
  services: Record<string, Service>
  /** Services left out by their profiles. */
  disabled_services: Record<string, Service>
  networks: Record<string, NetworkConfig>
  volumes: Record<string, VolumeConfig>
  secrets: Record<string, FileObject>
  configs: Record<string, FileObject>
  models: Record<string, ModelConfig>
  /** Services as their config hash is taken over, where they run with another image than their file says. */
  hashed?: Record<string, Service>
  /** Seccomp profiles that services name, by that name: compact JSON. Absent when the stack has none. */
  seccomp_profiles?: Record<string, string>
  /** Top-level `x-` attributes. */
  extensions: Extensions
}

/** Top-level attributes that begin with `x-`: kept as they were written. Those further inside are left out. */
export type Extensions = { [name: `x-${string}`]: unknown }

/** A network of the project under its key; `name` is the network's name on the Engine. */
export interface NetworkConfig {
  name: string
  driver?: string
  driver_opts?: Record<string, string>
  /** Always there, empty when nothing was said. */
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

/** A named volume of the project under its key; `name` is the volume's name on the Engine. */
export interface VolumeConfig {
  name: string
  driver?: string
  driver_opts?: Record<string, string>
  external?: true
  labels?: Record<string, string>
}

/**
 * A secret or a config. Its content is in one of: `file` (absolute, on the host), or `content` (given in the file, or
 * taken from the variable that `environment` names), or nowhere (`external`).
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

/** An AI model of the project: accepted by the loader, refused at deploy. */
export interface ModelConfig {
  name?: string
  model?: string
  context_size?: number
  runtime_flags?: string[]
}
