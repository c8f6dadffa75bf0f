import { posix } from 'node:path'
import {
  type LeftOut,
  leftOutFor,
  type PeerGit,
  type PeerStack,
  type PeerUpdates,
  type Refusal,
  type Refused,
  refusedContent,
} from '../peer-stack.ts'
import type { PlacedImport } from '../place-stacks.ts'
import { withoutPassword } from '../without-password.ts'
import type { KomodoConfig, KomodoRepoConfig } from './config.ts'
import { hasVariable, readEnvironment } from './environment.ts'
import { type Needed, neededFiles, type Origin, originOf, replaced, shownFiles } from './files.ts'
import { leftOutSettings } from './left-out.ts'
import { needsOf } from './needs.ts'
import type { KomodoResources, KomodoStack } from './resources.ts'

/** Returns the stacks of Komodo, with those that cannot be imported. */
export function komodoStacks(resources: KomodoResources): PlacedImport[] {
  const taken = new Set<string>()
  return resources.stacks.map((peer) => {
    const { config } = peer
    const origin = originOf(config)
    const name = projectOf(peer)
    const refusal = refusalOf(peer, resources, taken.has(name))
    if (refusal === null) taken.add(name)
    const directory = origin === 'host' && isAbsolute(config) ? config.run_directory : null
    const facts: Omit<PeerStack, keyof Content> = {
      peerName: peer.name,
      host: config.swarm !== '' || config.server === '' ? null : config.server,
      status: peer.status,
      folder: null,
    }
    const content =
      refusal === null && origin !== null
        ? contentOf(peer, { origin, name, directory }, resources)
        : refusedHere(refusal ?? noComposeFile)
    return { stack: { ...facts, ...content }, projectPath: directory }
  })
}

type Content = Omit<PeerStack, 'peerName' | 'host' | 'status' | 'folder'>

const noComposeFile: Refused = { reason: 'invalid-compose', detail: 'it has no compose file' }

/** The project that Komodo deployed keeps its name there if the name is changed. */
const projectOf = ({ name, config, deployedProject }: KomodoStack): string =>
  deployedProject ?? (config.project_name || name)

const isAbsolute = ({ run_directory }: KomodoConfig) => run_directory.startsWith('/')

function refusalOf(
  { config, isTemplate, unreadable }: KomodoStack,
  { servers, hasAllServers }: KomodoResources,
  isTaken: boolean,
): Refused | null {
  const origin = originOf(config)
  const { badLine } = readEnvironment(config.environment)
  const isKnown = !hasAllServers || servers.some(({ name }) => name === config.server)
  const unclear = unclearPart(config, origin)
  const checks: [applies: boolean, reason: Refusal, detail: string][] = [
    [config.swarm !== '', 'swarm', 'it is on a Docker Swarm'],
    [isTemplate, 'template', 'it is a template, from which others are made'],
    [
      unreadable.length > 0,
      'form-unknown',
      `no public page of Komodo shows this form of ${unreadable.join(', ')}`,
    ],
    [config.server === '', 'no-host', 'it names no server'],
    [!isKnown, 'host-unknown', 'Komodo does not show its server'],
    [origin === null, noComposeFile.reason, noComposeFile.detail],
    [
      unclear !== undefined,
      'form-unknown',
      `no public page of Komodo says what counts of ${unclear}`,
    ],
    [
      badLine !== null,
      'form-unknown',
      `line ${badLine} of its environment is no variable such as NAME=value`,
    ],
    [isTaken, 'name-in-use', 'another stack in Komodo has its project name: names are unique here'],
  ]
  const found = checks.find(([applies]) => applies)
  return found ? { reason: found[1], detail: found[2] } : null
}

/** Returns fields that no page explains together. */
function unclearPart(config: KomodoConfig, origin: Origin | null): string | undefined {
  if (origin === 'git' && config.repo !== '' && config.linked_repo !== '')
    return 'repo and linked_repo'
  if (origin === 'git' && isAbsolute(config)) return 'an absolute run_directory and a repository'
  if (origin === 'text' && config.file_paths.length > 1)
    return 'file_contents and several file_paths'
  const isRaw = config.skip_secret_interp && hasVariable(config.file_contents)
  return origin === 'text' && isRaw ? 'skip_secret_interp and file_contents' : undefined
}

const refusedHere = (refused: Refused): Content => ({ ...refusedContent(refused), directory: null })

/** What is known of a stack before its files are read. */
interface Known {
  origin: Origin
  name: string
  directory: string | null
}

function contentOf(peer: KomodoStack, known: Known, resources: KomodoResources): Content {
  const { config } = peer
  const { origin, name, directory } = known
  const shown = shownFiles(peer, origin, resources)
  const needed = tryNeeded(config, origin, shown)
  if ('problem' in needed) return refusedHere({ reason: 'invalid-compose', detail: needed.problem })
  const repo = origin === 'git' ? repoOf(config, resources) : undefined
  const git = repo ? gitOf(repo, shown.composeFiles[0] ?? '') : null
  const { env, unset, unknown } = envOf(config, resources)
  const isDown = resources.servers.some((one) => one.name === config.server && !one.isUp)
  return {
    name,
    directory,
    composeFiles: shown.composeFiles,
    files: shown.files,
    env,
    git,
    updates: updatesOf(config),
    writtenFromEnv: needed.written,
    leftOut: [
      ...peer.leftOut,
      ...leftOutSettings(config),
      ...(repo?.git_account ? [leftOutFor('git_account', 'git-password-hidden')] : []),
      ...leftOutFiles(peer, origin, shown.hidden, needed),
      ...[...new Set([...unknown, ...shown.unknown])].map((one) =>
        leftOutFor(one, 'variable-unknown'),
      ),
      ...(isDown ? [leftOutFor(config.server, 'host-down')] : []),
    ],
    needs: needsOf(peer, known, { shown, needed, git }),
    notes: notesOf(config, origin, unset, repo?.commit ?? ''),
    refused: null,
  }
}

function tryNeeded(...given: Parameters<typeof neededFiles>): Needed | { problem: string } {
  try {
    return neededFiles(...given)
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** Those of a git repository are in the repository, and those on the host stay there. */
function leftOutFiles(
  { config, contents }: KomodoStack,
  origin: Origin,
  hidden: readonly string[],
  { missing, binds }: Needed,
): LeftOut[] {
  const extra = config.additional_env_files.map((path) => leftOutFor(path, 'file-not-in-answers'))
  if (origin !== 'text' && contents === null) {
    const place = config.run_directory || '.'
    return origin === 'host' ? [leftOutFor(place, 'files-on-host'), ...extra] : extra
  }
  const own = origin === 'git' ? hidden : [...hidden, ...missing]
  return [
    ...own.map((path) => leftOutFor(path, 'file-not-in-answers')),
    ...extra,
    ...(origin === 'text' ? binds : []).map((path) =>
      leftOutFor(path, 'relative-bind-in-the-peers-directory'),
    ),
  ]
}

/** Returns the repository of a stack, undefined if what was read does not have it. */
const repoOf = (config: KomodoConfig, { repos }: KomodoResources): KomodoRepoConfig | undefined =>
  config.linked_repo === '' ? config : repos.find(({ name }) => name === config.linked_repo)

const gitOf = (repo: KomodoRepoConfig, path: string): PeerGit => ({
  url: withoutPassword(`${repo.git_https ? 'https' : 'http'}://${repo.git_provider}/${repo.repo}`),
  ref: repo.branch,
  path,
  commit: repo.commit || null,
  username: repo.git_account || null,
  everySeconds: null,
  // A setting of webhooks does not say that one exists.
  webhook: false,
})

/** `auto_update` polls too, whatever `poll_for_updates` says. */
function updatesOf({ auto_update, poll_for_updates }: KomodoConfig): PeerUpdates {
  if (auto_update) return 'apply'
  return poll_for_updates ? 'notify' : 'none'
}

function envOf(config: KomodoConfig, { variables }: KomodoResources) {
  const values = config.skip_secret_interp ? undefined : variables
  const all = readEnvironment(config.environment).variables.map(([name, value]) => ({
    name,
    ...replaced(value, values),
  }))
  const known = all.filter(({ unknown }) => unknown.length === 0)
  return {
    env: Object.fromEntries(known.map(({ name, text }): [string, string] => [name, text])),
    /** The variables that have no value here. */
    unset: all.filter(({ unknown }) => unknown.length > 0).map(({ name }) => name),
    /** The variables of Komodo that are the reason. */
    unknown: all.flatMap(({ unknown }) => unknown),
  }
}

function notesOf(
  config: KomodoConfig,
  origin: Origin,
  unset: readonly string[],
  commit: string,
): string[] {
  const extra = config.additional_env_files.map((path) => posix.normalize(path))
  return [
    ...(unset.length > 0
      ? [`${unset.join(', ')}: no value was read; set it in the .env before the next deploy`]
      : []),
    ...(extra.length > 0
      ? [`docker compose also reads variables from ${extra.join(', ')}: add them to the .env`]
      : []),
    ...(origin === 'host' && config.environment.trim() === ''
      ? [
          'a .env in its directory was not read: if it has one, save it with --env-file of cli stacks update',
        ]
      : []),
    ...(commit === ''
      ? []
      : [`Komodo keeps it at commit ${commit}: for that, use --ref with the full commit ID`]),
  ]
}
