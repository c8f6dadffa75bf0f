import type { Json } from '../../adapters/testing/json.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import type { AuthenticationPorts } from '../../functions/kit/authenticate.ts'
import type { Endpoint } from '../../functions/kit/endpoint.ts'
import type { HandlerContext, HttpEvent } from '../../functions/kit/event.ts'
import { contractViolation } from './endpoint-contract.ts'
import { type SignInPorts, signIn, type TestCaller } from './sign-in.ts'

type Value = string | number | boolean

/** A request of a test. */
export interface CallRequest<N> {
  path?: Record<string, Value>
  /** The route in the manifest. Needed only where the audited action matters. */
  route?: string
  /** An object, with a list for a repeated name, or the text after the question mark. */
  query?: Record<string, Value | readonly Value[] | undefined> | string
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged instead of `body`. */
  rawBody?: string
  headers?: Record<string, string>
  /** No credential is sent without it. */
  as?: TestCaller
  /** New memory ports by default. */
  ports?: N & AuthenticationPorts & SignInPorts
}

/**
 * A response. Header names are in lower case. `json` is undefined unless the body is JSON. `cause`
 * and `detail` are what only the log may show: the internal error, and the reason of a refusal.
 */
export interface CallResult {
  status: number
  headers: Record<string, string>
  json: Json
  text: string
  cause: unknown
  detail: string | undefined
}

/**
 * Calls an endpoint through its handler.
 *
 * @throws if the response breaks the endpoint's contract: an undeclared status, a body that
 * `returns` does not fully describe, or an error other than exactly `{error}`
 */
export async function call<N>(
  endpoint: Pick<Endpoint<never, N>, 'facts' | 'with'>,
  request: CallRequest<NoInfer<N>> = {},
): Promise<CallResult> {
  const ports = request.ports ?? (memoryPorts() as unknown as NonNullable<typeof request.ports>)
  const headers: Record<string, string> = { 'user-agent': 'test' }
  if (request.as) headers.authorization = `Bearer ${await signIn(ports, request.as)}`
  if (request.body !== undefined || request.rawBody !== undefined) {
    headers['content-type'] = 'application/json'
  }
  const context: HandlerContext = {}
  const event = eventOf(request, { ...headers, ...lowerCased(request.headers ?? {}) })
  const response = await endpoint.with(ports)(event, context)
  const answer: CallResult = {
    status: response.statusCode,
    headers: lowerCased(response.headers),
    text: response.body,
    json: undefined,
    cause: context.error,
    detail: context.detail,
  }
  if (answer.headers['content-type']?.startsWith('application/json')) {
    answer.json = JSON.parse(answer.text)
  }
  const wrong = contractViolation(endpoint.facts, answer, request.route?.split(' ')[0])
  if (wrong) throw new Error(`${wrong}\n${answer.status} ${answer.text}`, { cause: answer.cause })
  return answer
}

function eventOf(request: CallRequest<unknown>, headers: Record<string, string>): HttpEvent {
  const path = Object.fromEntries(
    Object.entries(request.path ?? {}).map(([name, value]) => [name, String(value)]),
  )
  const rawPath = `/${Object.values(path).map(encodeURIComponent).join('/')}`
  return {
    routeKey: request.route ?? 'TEST /',
    rawPath,
    rawQueryString: queryOf(request.query ?? {}),
    headers,
    pathParameters: path,
    body:
      request.rawBody ?? (request.body === undefined ? undefined : JSON.stringify(request.body)),
    isBase64Encoded: false,
    requestContext: {
      requestId: 'test-request',
      http: {
        method: request.route?.split(' ')[0] ?? 'TEST',
        path: rawPath,
        sourceIp: '127.0.0.1',
        userAgent: 'test',
      },
    },
  }
}

function queryOf(query: NonNullable<CallRequest<unknown>['query']>): string {
  if (typeof query === 'string') return query
  const out = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const one of [value].flat()) out.append(name, String(one))
  }
  return out.toString()
}

const lowerCased = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
