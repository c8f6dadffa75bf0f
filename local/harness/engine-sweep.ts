import { present } from '../../adapters/testing/present.ts'
import type { EndpointFacts } from '../../functions/kit/endpoint-facts.ts'
import { routesOf } from '../../functions/kit/manifest.ts'
import { routes } from '../../serverless.ts'
import { engineMarker } from './broken-engine.ts'
import { contractViolation } from './endpoint-contract.ts'
import { type EngineRequest, engineFeeds, engineRequests } from './engine-requests.ts'
import { openFeed, Refused } from './feeds.ts'
import { paced } from './pace.ts'
import type { Running } from './service.ts'

/** A service and the values of the placeholders. */
export interface SweepWorld {
  running: Running
  token: string
  /** Placeholder without braces → value. `{own}` is generated for each request. */
  names: Record<string, string>
}

interface SweepRequest extends EngineRequest {
  line: string
  own: string
  facts: EndpointFacts
}

/** Every request of `engineRequests`, each with a unique stack name. */
export const sweepRequests: SweepRequest[] = await Promise.all(
  Object.entries(engineRequests).flatMap(([line, list], row) =>
    list.map(async (request, index) => ({
      ...request,
      line,
      own: `own-${row}-${index}`,
      facts: await factsOf(line),
    })),
  ),
)

async function factsOf(line: string): Promise<EndpointFacts> {
  const route = routesOf(routes).find(({ method, path }) => `${method} ${path}` === line)
  return (await present(route).load()).default.facts
}

/** Ends the wait for a request that hangs. Milliseconds. The service answers within 30 s. */
const longest = paced(120_000)

/**
 * Sends every request and opens every feed, all at once. Returns the faults of the responses.
 *
 * @param isHanging skips endpoints without a timeout
 */
export async function sweep(world: SweepWorld, isHanging = false): Promise<string[]> {
  const requests = sweepRequests.filter(({ facts }) => !(isHanging && facts.noTimeout))
  const faults = await Promise.all([
    ...requests.map((request) => requestFault(request, world)),
    ...Object.values(engineFeeds).map((path) => feedFault(path, world)),
  ])
  return faults.filter((fault) => fault !== undefined)
}

const filled = (text: string, names: Record<string, string>) =>
  text.replaceAll(/\{(\w+)\}/g, (_, name) => names[name] ?? 'none')

async function requestFault(request: SweepRequest, world: SweepWorld): Promise<string | undefined> {
  const names = { ...world.names, own: `${world.names.own}-${request.own}` }
  const answer = await fetch(`${world.running.url}/api/v1${filled(request.path, names)}`, {
    method: present(request.line.split(' ')[0]),
    headers: { Authorization: `Bearer ${world.token}`, 'Content-Type': 'application/json' },
    body: request.body && filledBody(request.body, names),
    signal: AbortSignal.timeout(longest),
  }).then(answered, (error: Error) => `${error}`)
  if (typeof answer === 'string') return `${request.line}: ${answer}`
  const method = request.line.split(' ')[0]
  const fault =
    contractViolation(request.facts, answer, method) ?? textFault(answer.json, answer.status, world)
  return fault && `${request.line} ${answer.status}: ${short(fault)} in ${short(answer.text)}`
}

const short = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 400)

/** Fills the placeholders of a body. A placeholder can stand for an object. */
const filledBody = (body: object, names: Record<string, string>) =>
  filled(JSON.stringify(body), names)

async function answered(response: Response) {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const headers = Object.fromEntries(response.headers)
  return { status: response.status, headers, text, json: isJson ? JSON.parse(text) : undefined }
}

/** Returns what is wrong with the error messages anywhere in a response. */
function textFault(value: unknown, status: number, { names }: SweepWorld): string | undefined {
  const texts = errorTexts(value)
  const faults = texts.map((text) => errorFault(text))
  const nameless = status === 500 && !texts.some((text) => text.includes(present(names.hostName)))
  return faults.find((fault) => fault !== undefined) ?? (nameless ? 'names no host' : undefined)
}

function errorFault(text: string): string | undefined {
  if (text.includes(engineMarker)) return 'the words of the Engine'
  if (/(?!\n)\p{Cc}/u.test(text)) return 'control characters'
  if (/\n\s+at |node:internal|\.[jt]s:\d/.test(text)) return 'a stack trace'
  if (/the service failed|undefined|\[object|is not (a function|iterable)/.test(text))
    return 'no reason'
  return undefined
}

/** Returns every text under a key `error`. */
function errorTexts(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return key === 'error' ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => errorTexts(member, name))
}

/** How long a feed that stays open is watched, in milliseconds. */
const watched = 700

/** Opens a feed. Returns what is wrong with its rejection or its close. */
async function feedFault(path: string, world: SweepWorld): Promise<string | undefined> {
  const url = `${world.running.url}/api/v1${filled(path, world.names)}`.replace('http', 'ws')
  const { token } = world
  const feed = await openFeed(url, { token, handshakeTimeout: longest }).catch((error) => error)
  if (feed instanceof Refused) {
    const fault = textFault(JSON.parse(feed.body), feed.status, world)
    return fault && `${fault}: ${path} ${feed.status} ${feed.body}`
  }
  if (feed instanceof Error) return `${path}: ${feed}`
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), watched))
  const end = await Promise.race([feed.ended, late])
  feed.ws.terminate()
  const fault = end && errorFault(end.reason)
  return fault && `${fault}: ${path} ${end.code} ${end.reason}`
}
