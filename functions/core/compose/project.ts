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
}

/** A project that loaded, and what a person should know about it. */
export interface LoadedProject {
  project: Project
  warnings: string[]
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
}

export interface Service {
  [attribute: string]: any
}
export interface NetworkConfig {
  [attribute: string]: any
}
export interface VolumeConfig {
  [attribute: string]: any
}
export interface FileObject {
  [attribute: string]: any
}
