import type { ComposeFiles } from '../folder/compose-files.ts'

/**
 * The state of a stack in another product. `partial`: some containers run. `never-started`: there
 * are no containers, or none was started. `unknown`: what was read does not say.
 */
export type PeerStatus =
  | 'running'
  | 'stopped'
  | 'partial'
  | 'never-started'
  | 'deploying'
  | 'failed'
  | 'unknown'

/** Why a whole stack is not imported. */
export type Refusal =
  /** Its files cannot be read, or do not load. */
  | 'invalid-compose'
  /** A variable names its compose files, and no container says which they are. */
  | 'compose-file-variable'
  /** Another stack of the same import, or another project of the host, has its name. */
  | 'name-in-use'
  /** The project exists, but its files are not in the directory to import. */
  | 'not-in-stacks-directory'
  /** It is on a Docker Swarm. */
  | 'swarm'
  /** It is on Kubernetes. */
  | 'kubernetes'
  /** It names a host that the product does not have. */
  | 'host-unknown'
  /** It names no host. */
  | 'no-host'
  /** Others are made from it. */
  | 'template'
  /** No public page shows the form or the meaning of what it has. */
  | 'form-unknown'

/** Why a part of a stack is not imported. */
export type LeftOutReason =
  | 'bind-outside-the-stack'
  | 'unused-compose-file'
  | 'file-not-in-answers'
  | 'relative-bind-in-the-peers-directory'
  | 'git-settings-not-deployed'
  | 'git-password-hidden'
  | 'registry-password-hidden'
  | 'deploy-option'
  | 'webhook'
  | 'access-control'
  | 'host-down'
  | 'files-on-host'
  | 'variable-unknown'
  | 'command'
  | 'display-only'
  | 'alert-setting'
  | 'field-unknown'

/** What a product does about newer images: deploys them, or shows them. */
export type PeerUpdates = 'none' | 'notify' | 'apply'

/** A part of a stack that is not imported. `what` is the path as the product has it. */
export interface LeftOut {
  what: string
  reason: LeftOutReason
}

/** Returns a part that is left out. */
export const leftOutFor = (what: string, reason: LeftOutReason): LeftOut => ({ what, reason })

/** Why a stack is refused; `detail` says it to a person. */
export interface Refused {
  reason: Refusal
  detail: string
}

/** The files of a stack on this machine. */
export interface PeerFolder {
  /** Its `env` is the text that the stack gets as `.env`. */
  compose: ComposeFiles
  /** The text to send instead of the `.env` in the folder; undefined if that serves. */
  env: string | undefined
  /** Directories in the folder that services may write to, with relative paths. */
  data: readonly string[]
}

/** A file of a stack: on this machine, or its text. `size` is in bytes. */
export type PeerFile = { path: string; size: number } & ({ source: string } | { text: string })

/** A git repository that the files of a stack are from. */
export interface PeerGit {
  url: string
  /** As the product has it: `main` or `refs/heads/main`. */
  ref: string
  /** The first compose file, from the root of the repository. */
  path: string
  commit: string | null
  username: string | null
  /** Seconds between two looks; null if the product does not look by itself. */
  everySeconds: number | null
  webhook: boolean
}

/** A stack of another product, in words that are the same for all products. */
export interface PeerStack {
  /** Its name in the product. */
  peerName: string
  /** The name of its compose project, which the stack gets; null if it is refused. */
  name: string | null
  /** The name of its host; null if there is none. */
  host: string | null
  status: PeerStatus
  /** Absolute, on the host; null if only the product has the files. */
  directory: string | null
  /** In the order in which they are merged. */
  composeFiles: readonly string[]
  /** The files that the import can read, without `.env`. */
  files: readonly PeerFile[]
  /** The variables that compose files can use, with their final values. They may be secrets. */
  env: Readonly<Record<string, string>>
  git: PeerGit | null
  updates: PeerUpdates
  /** Files that the product writes from `env`, and a compose file refers to. */
  writtenFromEnv: readonly string[]
  leftOut: readonly LeftOut[]
  /** What a person must do before it can be imported; null if nothing. */
  needs: string | null
  /** What else a person should know of this stack. */
  notes: readonly string[]
  refused: Refused | null
  /** Null if it is refused, or if its files are not on this machine yet. */
  folder: PeerFolder | null
}

/** Returns what a stack that is refused has of what depends on its files: nothing. */
export const refusedContent = (refused: Refused) => ({
  name: null,
  composeFiles: [],
  files: [],
  env: {},
  git: null,
  updates: 'none' as const,
  writtenFromEnv: [],
  leftOut: [],
  needs: null,
  notes: [],
  refused,
})

const reasonWords: Readonly<Record<LeftOutReason, string>> = {
  'bind-outside-the-stack': 'outside of its directory: it stays where it is',
  'unused-compose-file': 'docker compose does not use it: it is no compose file of the stack',
  'file-not-in-answers': 'its content is not shown',
  'relative-bind-in-the-peers-directory': 'its data stays in the directory of the project',
  'git-settings-not-deployed': 'its git settings were changed and not deployed',
  'git-password-hidden': 'the password is not shown',
  'registry-password-hidden': 'the password is not shown: cli registries create',
  'deploy-option': 'a setting of deployments',
  webhook: 'its URL stops working: cli stacks hook create makes another',
  'access-control': 'give access by roles',
  'host-down': 'the host does not respond there',
  'files-on-host': 'its files are on the host',
  'variable-unknown': 'its value is not known',
  command: 'a command of deployments',
  'display-only': 'only pages of the product show it',
  'alert-setting': 'alerts follow rules: cli alerts rules create',
  'field-unknown': 'no public page of the product shows what it means',
}

/** Returns what is left out and why, for a person. */
export const leftOutText = ({ what, reason }: LeftOut): string => `${what} (${reasonWords[reason]})`

/** Returns whether a stack has a running container. */
export const hasRunning = ({ status }: Pick<PeerStack, 'status'>): boolean =>
  status === 'running' || status === 'partial'
