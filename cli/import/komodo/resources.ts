import type { LeftOut, PeerStatus } from '../peer-stack.ts'
import type { KomodoConfig, KomodoRepoConfig } from './config.ts'

/** A stack of Komodo, from a file of resources or from the API. */
export interface KomodoStack {
  name: string
  isTemplate: boolean
  /** `unknown` in a file. */
  status: PeerStatus
  /** Its `server`, `swarm` and `linked_repo` are names. */
  config: KomodoConfig
  /** Fields whose form is on no public page. */
  unreadable: readonly string[]
  /** What is left out beside the settings that have a meaning here. */
  leftOut: readonly LeftOut[]
  /** The project that Komodo deployed last; null if that is not known. */
  deployedProject: string | null
  /** The files on the host or in git; null if what was read does not have them. */
  contents: readonly KomodoFile[] | null
}

/** A file as the API shows it. No page says whether its path is absolute. */
export interface KomodoFile {
  path: string
  contents: string
}

/** What Komodo has, as far as an import needs it. */
export interface KomodoResources {
  stacks: readonly KomodoStack[]
  servers: readonly { name: string; isUp: boolean }[]
  /** Whether a server that is not in the list does not exist. */
  hasAllServers: boolean
  repos: readonly (KomodoRepoConfig & { name: string })[]
  /** By name; null: the value is not shown. */
  variables: ReadonlyMap<string, string | null>
  /** Resources that are no stacks, such as `deployment redis`. */
  others: readonly string[]
}

/** Returns the value of a variable. Secret ones are as many `#` for those who may not see them. */
export const shownValue = (value: unknown, isSecret: unknown): string | null =>
  typeof value !== 'string' || (isSecret === true && /^#+$/.test(value)) ? null : value
