import { randomUUID } from 'node:crypto'
import { present } from '../../../adapters/testing/present.ts'
import { peerJson, peerText } from './peer-fixtures.ts'
import {
  headerOf,
  jsonObject,
  noForm,
  ok,
  type PeerAnswer,
  type PeerRequest,
  type PeerServer,
  startPeerServer,
} from './peer-server.ts'

/** An account of the fake server. */
export interface PortainerAccount {
  userId: number
  username: string
  password: string
  /** The access token for the header `X-API-Key`. */
  apiKey: string
}

/** A fake Portainer server with the fixtures in `local/fixtures/peers/portainer`. */
export interface FakePortainer extends PeerServer {
  /** Sees everything. */
  readonly admin: PortainerAccount
  /** A regular user: sees the stacks and environments that its access allows. */
  readonly bob: PortainerAccount
  /** Makes every issued JWT invalid, as eight hours later. */
  expire(): void
}

interface Stack {
  Id: number
  Type: number
  EndpointId: number
  SwarmId: string
  EntryPoint: string
  ResourceControl: ResourceControl | null
  GitConfig: { URL: string; ConfigFilePath: string } | null
  CurrentDeploymentInfo?: { RepositoryURL?: string; ConfigFilePath?: string }
}

interface ResourceControl {
  UserAccesses: { UserId: number }[]
  TeamAccesses: { TeamId: number }[]
  Public: boolean
}

interface Endpoint {
  Id: number
  UserAccessPolicies: Record<string, object>
  Snapshots?: object[]
}

interface Membership {
  UserID: number
  TeamID: number
}

/** A request with the account that sent it. */
interface Call {
  request: PeerRequest
  caller: PortainerAccount
  isAdmin: boolean
  /** The variable part of the path, or ''. */
  id: string
}

const accounts = () => peerJson<PortainerAccount[]>('portainer', 'accounts.json')
const stacks = () => peerJson<Stack[]>('portainer', 'stacks.json')
const endpoints = () => peerJson<Endpoint[]>('portainer', 'endpoints.json')
const memberships = () => peerJson<Membership[]>('portainer', 'memberships.json')

/** Starts the fake server. It has no state except the issued JWTs. */
export async function startPortainer(): Promise<FakePortainer> {
  const tokens = new Map<string, PortainerAccount>()
  const server = await startPeerServer((request) => answerOf(request, tokens))
  const named = (name: string) => present(accounts().find(({ username }) => username === name))
  return { ...server, admin: named('admin'), bob: named('bob'), expire: () => tokens.clear() }
}

/** Requests that need an account: method and path, with the identifier as a group → response. */
const routes: readonly (readonly [RegExp, (call: Call) => PeerAnswer])[] = [
  [/^GET \/api\/stacks$/, listStacks],
  [/^GET \/api\/stacks\/([^/]+)$/, (call) => ofStack(call, ok)],
  [/^GET \/api\/stacks\/([^/]+)\/file$/, (call) => ofStack(call, stackFile)],
  [/^GET \/api\/endpoints$/, listEndpoints],
  [/^GET \/api\/registries$/, (call) => forAdmin(call, 'registries.json')],
  [/^GET \/api\/users$/, (call) => forAdmin(call, 'users.json')],
  [/^GET \/api\/teams$/, (call) => forAdmin(call, 'teams.json')],
  [/^GET \/api\/users\/([^/]+)\/memberships$/, listMemberships],
]

function answerOf(request: PeerRequest, tokens: Map<string, PortainerAccount>): PeerAnswer {
  const path = `${request.method} ${request.url.pathname}`
  if (/^GET \/api\/(?:system\/)?status$/.test(path)) return ok(peerJson('portainer', 'status.json'))
  if (path === 'POST /api/auth') return authenticate(request, tokens)
  const caller = callerOf(request, tokens)
  if (!caller) return failed(401, 'The request has no valid token', 'Unauthorized')
  for (const [pattern, answer] of routes) {
    const match = pattern.exec(path)
    if (match) return answer({ request, caller, isAdmin: caller.userId === 1, id: match[1] ?? '' })
  }
  return noForm(path)
}

/** Every error of Portainer has this body. The texts are ours. */
const failed = (status: number, message: string, details = message): PeerAnswer => ({
  status,
  body: { message, details },
})

function authenticate({ body }: PeerRequest, tokens: Map<string, PortainerAccount>): PeerAnswer {
  const given = jsonObject(body)
  const isComplete = [given?.Username, given?.Password].every(
    (value) => typeof value === 'string' && value !== '',
  )
  if (!isComplete) return failed(400, 'The payload needs Username and Password')
  const account = accounts().find(
    ({ username, password }) => username === given?.Username && password === given?.Password,
  )
  if (!account) return failed(422, 'The credentials are not valid', 'Unauthorized')
  const jwt = `fixture.${randomUUID()}.jwt`
  tokens.set(jwt, account)
  return ok({ jwt })
}

/** Returns the account of the JWT or of the access token in a request. */
function callerOf(request: PeerRequest, tokens: Map<string, PortainerAccount>) {
  const jwt = headerOf(request, 'authorization')?.replace(/^Bearer /, '')
  const key = headerOf(request, 'x-api-key')
  return (
    (jwt === undefined ? undefined : tokens.get(jwt)) ??
    accounts().find(({ apiKey }) => apiKey === key)
  )
}

/** Responds to an administrator. What others see of these lists is on no page. */
function forAdmin({ isAdmin, request }: Call, name: string): PeerAnswer {
  if (!isAdmin) return noForm(`what a regular user gets from ${request.url.pathname}`)
  return ok(peerJson('portainer', name))
}

function listMemberships({ isAdmin, caller, id }: Call): PeerAnswer {
  if (!/^\d+$/.test(id)) return failed(400, 'The identifier of the user is not a number')
  if (!isAdmin && Number(id) !== caller.userId) return failed(403, 'Only your own memberships')
  return ok(memberships().filter(({ UserID }) => UserID === Number(id)))
}

function listStacks(call: Call): PeerAnswer {
  const filters = filtersOf(call.request.url)
  if (!filters) return failed(400, 'The query parameter filters is not valid')
  const { EndpointID, SwarmID } = filters
  const isAll = EndpointID === 0 && SwarmID === ''
  const isChosen = ({ Type, EndpointId, SwarmId }: Stack) =>
    (Type === 2 && EndpointId === EndpointID) || (Type === 1 && SwarmId === SwarmID)
  const seen = stacks().filter((stack) => maySee(call, stack))
  return ok(isAll ? seen : seen.filter(isChosen))
}

/** Returns the filters of a list of stacks, or undefined if they are not valid. */
function filtersOf(url: URL): { EndpointID: number; SwarmID: string } | undefined {
  const source = url.searchParams.get('filters')
  if (!source) return { EndpointID: 0, SwarmID: '' }
  const given = jsonObject(source)
  const endpoint = given?.EndpointID ?? 0
  const swarm = given?.SwarmID ?? ''
  if (!given || typeof endpoint !== 'number' || typeof swarm !== 'string') return undefined
  return { EndpointID: endpoint, SwarmID: swarm }
}

/** Returns whether the access of a stack lets the caller see it. */
function maySee({ isAdmin, caller }: Call, { ResourceControl: control }: Stack): boolean {
  if (isAdmin) return true
  if (!control) return false
  const teams = memberships().filter(({ UserID }) => UserID === caller.userId)
  return (
    control.Public ||
    control.UserAccesses.some(({ UserId }) => UserId === caller.userId) ||
    control.TeamAccesses.some(({ TeamId }) => teams.some(({ TeamID }) => TeamID === TeamId))
  )
}

/** Responds with something of the stack that the path names. */
function ofStack(call: Call, answer: (stack: Stack) => PeerAnswer): PeerAnswer {
  if (!/^\d+$/.test(call.id)) return failed(400, 'The identifier of the stack is not a number')
  const stack = stacks().find(({ Id }) => Id === Number(call.id))
  if (!stack) return failed(404, 'There is no stack with this identifier')
  if (!maySee(call, stack)) return failed(403, 'The stack may not be accessed', 'Access denied')
  return answer(stack)
}

function stackFile({ Id, EntryPoint, GitConfig, CurrentDeploymentInfo: deployed }: Stack) {
  const isPending =
    GitConfig !== null &&
    deployed !== undefined &&
    (GitConfig.URL !== deployed.RepositoryURL ||
      GitConfig.ConfigFilePath !== deployed.ConfigFilePath)
  if (isPending) return failed(409, 'The git settings of the stack are not deployed yet')
  return ok({ StackFileContent: peerText('portainer', 'files', String(Id), EntryPoint) })
}

const knownParameters = ['start', 'limit', 'excludeSnapshots']

function listEndpoints({ request: { url }, isAdmin, caller }: Call): PeerAnswer {
  const unknown = [...url.searchParams.keys()].find((name) => !knownParameters.includes(name))
  if (unknown) return noForm(`the parameter ${unknown} of environments`)
  const mayUse = ({ UserAccessPolicies }: Endpoint) =>
    isAdmin || Object.hasOwn(UserAccessPolicies, String(caller.userId))
  const seen = endpoints().filter(mayUse)
  const limit = numberIn(url, 'limit')
  // The first environment is number 1; 0 means the same.
  const start = Math.max(numberIn(url, 'start') - 1, 0)
  const page = limit === 0 ? seen : seen.slice(start, start + limit)
  const isShort = url.searchParams.get('excludeSnapshots') === 'true'
  return ok(isShort ? page.map(({ Snapshots: _, ...rest }) => rest) : page, {
    'X-Total-Count': String(seen.length),
    'X-Total-Available': String(endpoints().length),
  })
}

/** Returns a parameter as a number, 0 if it is missing or none. */
function numberIn(url: URL, name: string): number {
  const value = Number.parseInt(url.searchParams.get(name) ?? '', 10)
  return Number.isNaN(value) ? 0 : value
}
