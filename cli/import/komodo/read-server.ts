import { isMap } from '../../adopt/compose-facts.ts'
import { parseJson } from '../../api/parse-json.ts'
import { failed } from '../../failure.ts'
import { type Peer, postPeer } from '../peer-http.ts'
import type { LeftOut, PeerStatus } from '../peer-stack.ts'
import { readConfig } from './config.ts'
import { readKomodoFile } from './read-file.ts'
import { type KomodoFile, type KomodoResources, type KomodoStack, shownValue } from './resources.ts'

type Fields = Record<string, unknown>

/** What the stacks of a server are read with. */
interface Surroundings {
  /** ID → state of a stack, such as `running`. */
  states: ReadonlyMap<string, string>
  /** ID → name of a server. */
  serverNames: ReadonlyMap<string, string>
  /** Name of a stack → name of the repository that it links to. */
  linkedRepos: ReadonlyMap<string, string>
}

/**
 * Reads all that an import needs from the API of Komodo, with requests that change nothing. Throws
 * a `CliFailure`.
 */
export async function readKomodoServer(peer: Peer): Promise<KomodoResources> {
  const withTemplates = { query: { templates: 'Include' } }
  const full = await listed(peer, 'ListFullStacks', withTemplates)
  const states = await listed(peer, 'ListStacks', withTemplates)
  const servers = await listed(peer, 'ListServers', {})
  const variables = await listed(peer, 'ListVariables', {})
  // The API of stacks has IDs of repositories. Only the export has their names and settings.
  const hasRepos = full.some(({ config }) => isMap(config) && Boolean(config.linked_repo))
  const exported = hasRepos ? await exportedResources(peer) : undefined
  const around: Surroundings = {
    states: new Map(states.map(({ id, info }) => [textIn(id), stateIn(info)])),
    serverNames: new Map(servers.map(({ id, name }) => [textIn(id), textIn(name)])),
    linkedRepos: new Map(
      (exported?.stacks ?? []).map(({ name, config }) => [name, config.linked_repo]),
    ),
  }
  return {
    stacks: full.map((stack) => stackOf(stack, around)),
    servers: servers.map(({ name, info }) => ({
      name: textIn(name),
      isUp: stateIn(info) === 'Ok',
    })),
    hasAllServers: true,
    repos: exported?.repos ?? [],
    variables: new Map(
      variables.map(({ name, value, is_secret }) => [textIn(name), shownValue(value, is_secret)]),
    ),
    others: [],
  }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

const stateIn = (info: unknown): string => (isMap(info) ? textIn(info.state) : '')

async function exportedResources(peer: Peer): Promise<KomodoResources> {
  const answer = await read(peer, 'ExportAllResourcesToToml', {})
  if (isMap(answer) && typeof answer.toml === 'string')
    return readKomodoFile(answer.toml, `the export of ${peer.url}`)
  throw notKomodo(peer)
}

const statuses = new Map<string, PeerStatus>([
  ['deploying', 'deploying'],
  ['running', 'running'],
  ['paused', 'running'],
  ['restarting', 'running'],
  ['unhealthy', 'partial'],
  ['stopped', 'stopped'],
  ['dead', 'stopped'],
  ['removing', 'stopped'],
  ['created', 'never-started'],
  ['down', 'never-started'],
])

function stackOf(fields: Fields, around: Surroundings): KomodoStack {
  const { name, _id, template, description, tags, info } = fields
  const { config, unknown, unreadable } = readConfig(fields.config)
  const facts = isMap(info) ? info : {}
  const project = textIn(facts.deployed_project_name)
  const displayed = [
    ...(textIn(description) === '' ? [] : ['description']),
    ...(Array.isArray(tags) && tags.length > 0 ? ['tags'] : []),
  ]
  const id = isMap(_id) ? textIn(_id.$oid) : ''
  const linked = around.linkedRepos.get(textIn(name))
  return {
    name: textIn(name),
    isTemplate: template === true,
    status: statuses.get(around.states.get(id) ?? '') ?? 'unknown',
    config: {
      ...config,
      server: around.serverNames.get(config.server) ?? config.server,
      linked_repo: config.linked_repo === '' ? '' : linked || config.linked_repo,
    },
    unreadable,
    leftOut: [
      ...displayed.map((what): LeftOut => ({ what, reason: 'display-only' })),
      ...unknown.map((what): LeftOut => ({ what, reason: 'field-unknown' })),
    ],
    deployedProject: project === '' ? null : project,
    contents: Array.isArray(facts.remote_contents) ? filesIn(facts.remote_contents) : null,
  }
}

const filesIn = (found: readonly unknown[]): KomodoFile[] =>
  found.flatMap((one) =>
    isMap(one) && typeof one.path === 'string' && typeof one.contents === 'string'
      ? [{ path: one.path, contents: one.contents }]
      : [],
  )

async function listed(peer: Peer, type: string, params: object): Promise<Fields[]> {
  const found = await read(peer, type, params)
  if (Array.isArray(found) && found.every(isMap)) return found
  throw notKomodo(peer)
}

async function read(peer: Peer, type: string, params: object): Promise<unknown> {
  const { status, text } = await postPeer(peer, `/read/${type}`, params)
  if (status === 200) return parseJson(text)
  if (status === 401)
    throw failed(`Komodo at ${peer.url} refuses the API key and its secret`, {
      hint: 'make an API key in the settings of Komodo: it has a key and a secret',
    })
  if (status === 404) throw notKomodo(peer)
  throw failed(`Komodo at ${peer.url} responds to ${type} with status ${status}`, {
    hint: 'use the API key of an administrator, or import a file of resources',
  })
}

const notKomodo = ({ url }: Peer) =>
  failed(`${url} does not respond as Komodo does`, {
    hint: 'check the address and its port; behind a proxy, add the path',
  })
