import { isMap } from '../../adopt/compose-facts.ts'
import { parseJson } from '../../api/parse-json.ts'
import { failed } from '../../failure.ts'
import { type Peer, readPeer } from '../peer-http.ts'
import { type PortainerStack, readStack } from './read-stack.ts'

/** An environment: a host, for stacks of Compose. */
export interface PortainerEndpoint {
  Id: number
  Name: string
  /** 1 up, 2 down. */
  Status: number
}

export interface PortainerRegistry {
  URL: string
  Authentication: boolean
  /** By the id of an environment. */
  RegistryAccesses: Readonly<Record<string, object>> | null
}

export interface PortainerUser {
  Id: number
  Username: string
  /** 1 administrator, 2 standard user. */
  Role: number
}

export interface PortainerTeam {
  Id: number
  Name: string
}

export interface PortainerMembership {
  UserID: number
  TeamID: number
}

/** The response to a request for a compose file. Its text is null unless the status is 200. */
export interface PortainerFile {
  /** 409: the git settings of the stack were changed and not deployed. */
  status: number
  text: string | null
}

/** What a server shows to the owner of an API key. */
export interface PortainerAnswers {
  stacks: readonly PortainerStack[]
  /** The first compose file by the id of the stack. */
  files: ReadonlyMap<number, PortainerFile>
  endpoints: readonly PortainerEndpoint[]
  registries: readonly PortainerRegistry[]
  users: readonly PortainerUser[]
  teams: readonly PortainerTeam[]
  memberships: readonly PortainerMembership[]
  /** The lists that only administrators see, and this key does not. */
  hidden: readonly string[]
}

/** Reads all that an import needs, with GET alone. Throws a `CliFailure`. */
export async function readPortainer(peer: Peer): Promise<PortainerAnswers> {
  const hidden: string[] = []
  const stacks = (await listed(peer, '/api/stacks')).map((one) => {
    const stack = readStack(one)
    if (!stack) throw notPortainer(peer)
    return stack
  })
  const endpoints = (await listed(peer, '/api/endpoints?excludeSnapshots=true')).filter(isEndpoint)
  const ofAdmins = async (name: string): Promise<unknown[]> => {
    const { status, text } = await readPeer(peer, `/api/${name}`)
    if (status === 200) return listIn(text, peer)
    hidden.push(name)
    return []
  }
  const registries = (await ofAdmins('registries')).filter(isRegistry)
  const users = (await ofAdmins('users')).filter(isUser)
  const teams = (await ofAdmins('teams')).filter(isTeam)
  const memberships: PortainerMembership[] = []
  for (const { Id } of teams.length > 0 ? users : [])
    memberships.push(...(await listed(peer, `/api/users/${Id}/memberships`)).filter(isMembership))
  const files = await filesOf(stacks, peer)
  return { stacks, files, endpoints, registries, users, teams, memberships, hidden }
}

/**
 * Returns whether an entry of a list has the fields that are read of it. Others are left out: other
 * versions of Portainer may have other fields.
 */
const isFormed =
  <Entry>(numbers: readonly (keyof Entry & string)[], texts: readonly (keyof Entry & string)[]) =>
  (entry: unknown): entry is Entry =>
    isMap(entry) &&
    numbers.every((name) => typeof entry[name] === 'number') &&
    texts.every((name) => typeof entry[name] === 'string')

const isEndpoint = isFormed<PortainerEndpoint>(['Id'], ['Name'])
const isRegistry = isFormed<PortainerRegistry>([], ['URL'])
const isUser = isFormed<PortainerUser>(['Id'], ['Username'])
const isTeam = isFormed<PortainerTeam>(['Id'], ['Name'])
const isMembership = isFormed<PortainerMembership>(['UserID', 'TeamID'], [])

/** Only stacks of Compose are imported, so the files of others are not read. */
async function filesOf(
  stacks: readonly PortainerStack[],
  peer: Peer,
): Promise<Map<number, PortainerFile>> {
  const files = new Map<number, PortainerFile>()
  for (const { Id, Type } of stacks) {
    if (Type !== 2) continue
    const { status, text } = await readPeer(peer, `/api/stacks/${Id}/file`)
    files.set(Id, { status, text: status === 200 ? contentIn(text, peer) : null })
  }
  return files
}

function contentIn(text: string, peer: Peer): string {
  const value = parseJson(text) as { StackFileContent?: unknown } | null | undefined
  if (typeof value?.StackFileContent === 'string') return value.StackFileContent
  throw notPortainer(peer)
}

async function listed(peer: Peer, path: string): Promise<unknown[]> {
  const { status, text } = await readPeer(peer, path)
  if (status !== 200) throw refused(peer, path, status)
  return listIn(text, peer)
}

function listIn(text: string, peer: Peer): unknown[] {
  const value = parseJson(text)
  if (!Array.isArray(value)) throw notPortainer(peer)
  return value
}

const notPortainer = ({ url }: Peer) =>
  failed(`${url} does not respond as Portainer does`, {
    hint: 'check the address and its port; behind a proxy, add the path',
  })

function refused(peer: Peer, path: string, status: number) {
  if (status === 401)
    return failed(`Portainer at ${peer.url} refuses the API key`, {
      hint: 'make one in Portainer: My account, Access tokens',
    })
  if (status === 404) return notPortainer(peer)
  return failed(`Portainer at ${peer.url} responds to GET ${path} with status ${status}`, {
    hint: status === 403 ? 'use the API key of an administrator' : undefined,
  })
}
