import { posix } from 'node:path'
import { quoted } from '../../folder/quoted.ts'
import {
  type LeftOut,
  leftOutFor,
  type PeerGit,
  type PeerStack,
  type PeerStatus,
  type Refused,
  refusedContent,
} from '../peer-stack.ts'
import { type References, referencesOf } from '../references.ts'
import { withoutPassword } from '../without-password.ts'
import type {
  PortainerAnswers,
  PortainerEndpoint,
  PortainerFile,
  PortainerRegistry,
} from './answers.ts'
import type { PortainerStack } from './read-stack.ts'

/** A stack of Portainer, and the directory in which it runs `docker compose`. */
export interface PortainerImport {
  stack: PeerStack
  id: number
  projectPath: string
}

/** Returns the stacks of Portainer, with those that cannot be imported. */
export function portainerStacks(answers: PortainerAnswers): PortainerImport[] {
  const taken = new Set<string>()
  return answers.stacks.map((peer) => {
    const endpoint = answers.endpoints.find(({ Id }) => Id === peer.EndpointId)
    const refusal = refusalOf(peer, endpoint, taken)
    if (refusal === null) taken.add(peer.Name)
    const facts: Omit<PeerStack, keyof Content> = {
      peerName: peer.Name,
      host: endpoint?.Name ?? null,
      status: statuses.get(peer.Status) ?? 'failed',
      directory: null,
      folder: null,
    }
    const content = refusal === null ? contentOf(peer, endpoint, answers) : refusedContent(refusal)
    return { stack: { ...facts, ...content }, id: peer.Id, projectPath: peer.ProjectPath }
  })
}

const statuses = new Map<number, PeerStatus>([
  [1, 'running'],
  [2, 'stopped'],
  [3, 'deploying'],
  [4, 'failed'],
])

type Content = Omit<PeerStack, 'peerName' | 'host' | 'status' | 'directory' | 'folder'>

function refusalOf(
  { Type, Name, unreadable }: PortainerStack,
  endpoint: PortainerEndpoint | undefined,
  taken: ReadonlySet<string>,
): Refused | null {
  if (Type === 1) return { reason: 'swarm', detail: 'it is on a Docker Swarm' }
  if (Type === 3) return { reason: 'kubernetes', detail: 'it is on Kubernetes' }
  if (unreadable.length > 0) {
    const detail = `no public page of Portainer shows this form of ${unreadable.join(', ')}`
    return { reason: 'form-unknown', detail }
  }
  if (!endpoint)
    return { reason: 'host-unknown', detail: 'Portainer does not have its environment any more' }
  if (!taken.has(Name)) return null
  const detail = 'another stack in Portainer has its name, on another host: names are unique here'
  return { reason: 'name-in-use', detail }
}

function contentOf(
  peer: PortainerStack,
  endpoint: PortainerEndpoint | undefined,
  answers: PortainerAnswers,
): Content {
  const file = answers.files.get(peer.Id) ?? { status: 404, text: null }
  const { text } = file
  const references = textReferences(text)
  if ('problem' in references)
    return refusedContent({ reason: 'invalid-compose', detail: references.problem })
  const writtenFromEnv = references.files.some(isStackEnv) ? ['stack.env'] : []
  const leftOut = [
    ...leftOutFiles(peer, file, references),
    ...leftOutSettings(peer),
    ...leftOutRegistries(peer, references, answers.registries),
    ...(endpoint?.Status === 2 ? [leftOutFor(endpoint.Name, 'host-down')] : []),
  ]
  return {
    name: peer.Name,
    composeFiles: [peer.EntryPoint, ...(peer.AdditionalFiles ?? [])],
    files: text === null ? [] : [{ path: peer.EntryPoint, size: Buffer.byteLength(text), text }],
    env: Object.fromEntries((peer.Env ?? []).map(({ name, value }) => [name, value])),
    git: gitOf(peer),
    updates: 'none',
    writtenFromEnv,
    leftOut,
    needs: needsOf(peer, file, references),
    notes: [],
    refused: null,
  }
}

function textReferences(text: string | null): References | { problem: string } {
  try {
    return referencesOf(text ?? '')
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** Portainer writes the variables of a stack into this file. */
const isStackEnv = (path: string) => posix.normalize(path) === 'stack.env'

const missingFiles = ({ files }: References) => files.filter((path) => !isStackEnv(path))

function leftOutFiles(
  { EntryPoint, GitConfig }: PortainerStack,
  { status, text }: PortainerFile,
  references: References,
): LeftOut[] {
  if (text === null) {
    const reason = status === 409 ? 'git-settings-not-deployed' : 'file-not-in-answers'
    return [leftOutFor(EntryPoint, reason)]
  }
  // Those of a git repository are in the repository.
  if (GitConfig) return []
  return [
    ...missingFiles(references).map((path) => leftOutFor(path, 'file-not-in-answers')),
    ...references.binds.map((path) => leftOutFor(path, 'relative-bind-in-the-peers-directory')),
  ]
}

function leftOutSettings({ AutoUpdate, GitConfig, ResourceControl }: PortainerStack): LeftOut[] {
  return [
    ...(GitConfig?.Authentication
      ? [leftOutFor('GitConfig.Authentication.Password', 'git-password-hidden')]
      : []),
    ...(AutoUpdate?.Webhook ? [leftOutFor('AutoUpdate.Webhook', 'webhook')] : []),
    ...(AutoUpdate?.ForceUpdate ? [leftOutFor('ForceUpdate', 'deploy-option')] : []),
    ...(AutoUpdate?.ForcePullImage ? [leftOutFor('ForcePullImage', 'deploy-option')] : []),
    ...(ResourceControl ? [leftOutFor('ResourceControl', 'access-control')] : []),
  ]
}

function leftOutRegistries(
  { EndpointId }: PortainerStack,
  { images }: References,
  registries: readonly PortainerRegistry[],
): LeftOut[] {
  return registries
    .filter(({ Authentication, RegistryAccesses }) => {
      return Authentication && Object.hasOwn(RegistryAccesses ?? {}, String(EndpointId))
    })
    .filter(({ URL: address }) => images.some((image) => isFrom(image, address)))
    .map(({ URL: address }) => leftOutFor(address, 'registry-password-hidden'))
}

function isFrom(image: string, address: string): boolean {
  if (image.startsWith(`${address}/`)) return true
  const [first = '', ...rest] = image.split('/')
  const hasAddress = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  return address === 'docker.io' && !hasAddress
}

function gitOf({ GitConfig, AutoUpdate }: PortainerStack): PeerGit | null {
  if (!GitConfig) return null
  return {
    url: withoutPassword(GitConfig.URL),
    ref: GitConfig.ReferenceName,
    path: GitConfig.ConfigFilePath,
    commit: GitConfig.ConfigHash || null,
    username: GitConfig.Authentication?.Username ?? null,
    everySeconds: secondsOf(AutoUpdate?.Interval ?? ''),
    webhook: Boolean(AutoUpdate?.Webhook),
  }
}

const unitSeconds = new Map([
  ['h', 3600],
  ['m', 60],
  ['s', 1],
])

/** Reads a duration such as `5m` or `1h30m`. Returns null for none. */
function secondsOf(text: string): number | null {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)([hms])/g)]
  const total = parts.reduce((sum, [, count, unit = '']) => {
    return sum + Number(count) * (unitSeconds.get(unit) ?? 0)
  }, 0)
  return total === 0 ? null : total
}

/** Returns what prevents an import that a person can change. */
function needsOf(
  { Name, Status, ProjectPath, EntryPoint, AdditionalFiles, GitConfig }: PortainerStack,
  { status, text }: PortainerFile,
  references: References,
): string | null {
  const again = 'and run the same command again'
  if (text === null && status !== 409)
    return `Portainer does not show its compose file: it responds with status ${status}`
  if (text === null) return `its git settings are not deployed: deploy it in Portainer, ${again}`
  if (Status === 3) return `Portainer deploys it at the moment: wait, ${again}`
  const adopt = (place: string) => `run cli stacks adopt ${place} --name ${quoted(Name)} --with-env`
  const clone = quoted(withoutPassword(GitConfig?.URL ?? ''))
  const isWhole = missingFiles(references).length === 0 && (AdditionalFiles ?? []).length === 0
  if (!isWhole && GitConfig)
    return `its other files are in git: clone ${clone} and ${adopt('<its folder>')}`
  if (!isWhole)
    return `Portainer shows one of its files: copy ${ProjectPath} out of the container and ${adopt('<the copy>')}`
  if (/^(?!\.+$)(?!\.env$)[\w.-]+$/.test(posix.basename(EntryPoint))) return null
  return 'the name of its compose file has other characters than letters, digits, dots and hyphens'
}
