import type { Project } from '../project.ts'
import type { PlacedReference } from '../references.ts'
import type { PlacedClaim } from './placed-claims.ts'
import type { PlacedPath } from './placed-paths.ts'

/** A loaded project and the warnings to show to the user. */
export interface LoadedProject {
  project: Project
  warnings: string[]
  /** The active profiles: those that were asked for, or those that `COMPOSE_PROFILES` names. */
  profiles: readonly string[]
  /** The volumes and networks that the project uses, with their positions in the files. */
  references: PlacedReference[]
  /** The paths of the host that the project uses, with their positions in the files. */
  paths: PlacedPath[]
  /** The names and ports of the host that the project needs, with their positions in the files. */
  claims: PlacedClaim[]
  /** Paths in the stack's directory whose contents are secret; see `findSecretFiles`. */
  secretFiles: string[]
  /** Paths in the stack's directory of the files that were read as compose files. */
  composeFiles: string[]
  /**
   * Names of the volumes that the files call external, whether or not a service uses them. The
   * project has only those that one uses.
   */
  externalVolumes: readonly string[]
  /** What needs `stacks:privileged`. Missing unless `listsPrivileged` asks for it. */
  privileged?: PrivilegedUse[]
}

/** An attribute that a project may only have with the reach `host`. */
export interface PrivilegedUse {
  /** Its path, as `services.web.privileged`. */
  path: string
  /** Its place in the file and its path, as a prefix of messages. */
  place: string
  /** What it requests. It can have values of secret files. */
  detail: string
}
