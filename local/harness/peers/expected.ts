import { peerJson } from './peer-fixtures.ts'

/** What an import reads: a directory, an API, or a file. */
export type ImportRoute = 'dockge' | 'portainer' | 'komodo-toml' | 'komodo-api'

/**
 * `partial`: some containers run. `never-started`: there are no containers, or none was started.
 * `unknown`: what the import reads does not say.
 */
export const expectedStatuses = [
  'running',
  'stopped',
  'partial',
  'never-started',
  'deploying',
  'failed',
  'unknown',
] as const

/** Why a whole stack is not imported. */
export const refusals = [
  /** It is on a Docker Swarm. */
  'swarm',
  /** It is on Kubernetes. */
  'kubernetes',
  /** It names no host. */
  'no-host',
  /** It names a host that the peer does not have. */
  'host-unknown',
  /** A template, from which others are made. */
  'template',
  /** Its compose file is not valid. */
  'invalid-compose',
  /** Another stack of the same import has its name, on another host. */
  'name-in-use',
  /** The project runs, but its files are not in the directory to import. */
  'not-in-stacks-directory',
] as const

/** Why a part of a stack is not imported. The import says so and imports the rest. */
export const leftOutReasons = [
  /** The compose file refers to a file that the peer does not show. */
  'file-not-in-answers',
  /** The files are on the host. A file of resources does not contain them. */
  'files-on-host',
  /** A bind of a relative path: its data is in a directory of the peer that it does not name. */
  'relative-bind-in-the-peers-directory',
  /** A bind of a relative path that leads out of the directory of the stack. */
  'bind-outside-the-stack',
  /** A compose file beside the one that docker compose uses. */
  'unused-compose-file',
  /** The git settings were changed and not deployed: the peer does not show the file. */
  'git-settings-not-deployed',
  'git-password-hidden',
  'registry-password-hidden',
  /** A variable of the peer whose value the import does not have. */
  'variable-unknown',
  /** A command before, after or around each deploy. */
  'command',
  /** A setting of how the peer deploys. */
  'deploy-option',
  /** A webhook URL of the peer. It stops working. */
  'webhook',
  /** Which users and teams may use the stack. */
  'access-control',
  /** What only the peer's pages show, such as links and tags. */
  'display-only',
  /** The host does not respond to the peer, or is turned off there. */
  'host-down',
] as const

/** A git repository that the files of a stack are from. */
export interface ExpectedGit {
  url: string
  /** As the peer has it: `main` or `refs/heads/main`. */
  ref: string
  /** The first compose file, from the root of the repository. */
  path: string
  commit: string | null
  /** The user name of private repositories. No peer shows the password. */
  username: string | null
  /** Seconds between two polls of the repository; null: the peer does not poll it. */
  everySeconds: number | null
  webhook: boolean
}

/** What a correct import makes of one stack of the fixtures. */
export interface ExpectedStack {
  /** Its name in the peer. */
  peerName: string
  /** Its identifier in Portainer. */
  peerId?: number
  /** The name of the compose project, which is the name of the stack; null if it is refused. */
  name: string | null
  /** The host by the peer's name, `local` for a directory; null if there is none. */
  host: string | null
  status: (typeof expectedStatuses)[number]
  /** The directory of the files on the host; null if only the peer has them. */
  directory: string | null
  /** In the order in which they are merged, from the directory or the root of the repository. */
  composeFiles: string[]
  /**
   * The files whose content the import reads, without `.env`, with the SHA-256 of their bytes.
   * Variables of the peer, such as `[[ZONE]]` of Komodo, are replaced already. If `git` is set,
   * the others are in the repository.
   */
  files: { path: string; sha256: string; bytes: number }[]
  /** The variables that `${…}` in the compose files can use, with their final values. */
  env: Record<string, string>
  git: ExpectedGit | null
  /** What the peer does about newer images. */
  updates: 'none' | 'notify' | 'apply'
  /** Files that the peer writes from `env` and a compose file refers to. */
  writtenFromEnv: string[]
  /** `what` is the path or field as the peer has it. The order does not matter. */
  leftOut: { what: string; reason: (typeof leftOutReasons)[number] }[]
  refused: (typeof refusals)[number] | null
}

/**
 * Returns what a correct import makes of the fixtures. For Dockge, two projects that are no stacks
 * follow the twenty stacks. For the APIs, the account is an administrator.
 */
export function expectedOf(route: ImportRoute): ExpectedStack[] {
  if (route === 'komodo-toml') return peerJson('komodo', 'expected-toml.json')
  if (route === 'komodo-api') return peerJson('komodo', 'expected-api.json')
  return peerJson(route, 'expected.json')
}
