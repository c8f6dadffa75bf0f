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

/** An account of the fake server, by its API key. */
export interface KomodoAccount {
  username: string
  admin: boolean
  /** For the header `X-Api-Key`. */
  key: string
  /** For the header `X-Api-Secret`. */
  secret: string
}

/** A fake Komodo Core with the fixtures in `local/fixtures/peers/komodo`. */
export interface FakeKomodo extends PeerServer {
  readonly admin: KomodoAccount
  /** Reads everything except the values of secret variables. */
  readonly reader: KomodoAccount
}

interface Variable {
  name: string
  description?: string
  value: string
  is_secret: boolean
}

interface NamedStack {
  name: string
  template: boolean
}

interface FullStack extends NamedStack {
  _id: { $oid: string }
}

type Params = Record<string, unknown>
type Read = (params: Params, account: KomodoAccount) => PeerAnswer

const accounts = () => peerJson<KomodoAccount[]>('komodo', 'accounts.json')
const fullStacks = () => peerJson<FullStack[]>('komodo', 'stacks.json')

/** Starts the fake server. It has no state. */
export async function startKomodo(): Promise<FakeKomodo> {
  const server = await startPeerServer(answerOf)
  const named = (name: string) => present(accounts().find(({ username }) => username === name))
  return { ...server, admin: named('admin'), reader: named('reader') }
}

const reads = new Map<string, Read>([
  ['GetVersion', () => ok(peerJson('komodo', 'version.json'))],
  ['ListServers', (params) => listed(params, peerJson<NamedStack[]>('komodo', 'servers.json'))],
  ['ListStacks', (params) => listed(params, peerJson<NamedStack[]>('komodo', 'stack-list.json'))],
  ['ListFullStacks', (params) => listed(params, fullStacks())],
  ['GetStack', getStack],
  ['ListVariables', (_params, account) => ok(variablesFor(account))],
  ['ExportAllResourcesToToml', exportAll],
])

function answerOf(request: PeerRequest): PeerAnswer {
  const { method, url, body } = request
  if (method !== 'POST') return noForm(`${method} requests`)
  const account = accountOf(request)
  if (!account) return { status: 401, body: { error: 'The API key is not valid', trace: [] } }
  const asked = jsonObject(body)
  const [, variant] = /^\/read\/(\w+)$/.exec(url.pathname) ?? []
  if (variant !== undefined) return readAs(variant, asked, account)
  if (url.pathname !== '/read') return noForm(url.pathname)
  const params = asked?.params
  const isObject = typeof params === 'object' && params !== null
  return readAs(String(asked?.type), isObject ? (params as Params) : undefined, account)
}

function readAs(type: string, params: Params | undefined, account: KomodoAccount): PeerAnswer {
  const read = reads.get(type)
  if (!read) return noForm(`the request ${type}`)
  return params ? read(params, account) : noForm('the response to a body that is no object')
}

const accountOf = (request: PeerRequest) =>
  accounts().find(
    ({ key, secret }) =>
      key === headerOf(request, 'x-api-key') && secret === headerOf(request, 'x-api-secret'),
  )

/** Responds with the resources that a query asks for, with templates only if it says so. */
function listed({ query = {} }: Params, all: NamedStack[]): PeerAnswer {
  const { names = [], templates = 'Exclude', ...others } = query as Params
  const unknown = Object.entries(others).find(([, value]) => !isEmpty(value))
  if (unknown) return noForm(`the filter ${unknown[0]}`)
  const isChosen = ({ name, template }: NamedStack) =>
    (isEmpty(names) || (names as string[]).includes(name)) &&
    (templates === 'Include' || template === (templates === 'Only'))
  return ok(all.filter(isChosen))
}

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

function getStack({ stack, id, name }: Params): PeerAnswer {
  const given = stack ?? id ?? name
  const found = fullStacks().find((one) => one._id.$oid === given || one.name === given)
  return found ? ok(found) : noForm('the response for a stack that does not exist')
}

/** Returns the variables. The secret ones are masked for accounts that are no administrators. */
function variablesFor({ admin }: KomodoAccount): Variable[] {
  return peerJson<Variable[]>('komodo', 'variables.json').map((variable) =>
    variable.is_secret && !admin
      ? { ...variable, value: variable.value.replace(/./g, '#') }
      : variable,
  )
}

function exportAll(params: Params, account: KomodoAccount): PeerAnswer {
  const { include_resources = true, include_variables = false } = params
  if (params.include_user_groups === true) return noForm('user groups')
  if (params.tags !== undefined && !isEmpty(params.tags)) return noForm('an export of tags')
  const parts = [
    ...(include_resources === true ? [peerText('komodo', 'export.toml')] : []),
    ...(include_variables === true ? [exportedVariables(account)] : []),
  ]
  return ok({ toml: parts.join('\n##\n\n') })
}

function exportedVariables(account: KomodoAccount): string {
  const shown = variablesFor(account)
  return peerJson<Variable[]>('komodo', 'variables.json').reduce(
    (toml, { value }, index) =>
      toml.replace(JSON.stringify(value), () => JSON.stringify(present(shown[index]).value)),
    peerText('komodo', 'export-variables.toml'),
  )
}
