import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** A route of an HTTP API: `GET /api/v1/stacks/{name}`, and the path as an expression. */
export interface GatewayRoute {
  key: string
  method: string
  pattern: RegExp
}

/** Returns the route with this key. */
export function gatewayRoute(key: string): GatewayRoute {
  const [method = '', path = ''] = key.split(' ')
  const segments = path.split('/').map((part) => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
    return name ? `(?<${name}>[^/]+)` : part.replaceAll('.', '\\.')
  })
  return { key, method, pattern: new RegExp(`^${segments.join('/')}$`) }
}

/**
 * Returns the event of a request in payload format 2.0, or undefined if no route matches. As the
 * gateway does, it decodes the path before it looks for the route, and the parameters once more.
 */
export function gatewayEvent(
  incoming: IncomingMessage,
  body: Buffer,
  routes: readonly GatewayRoute[],
) {
  const [target = '', rawQueryString = ''] = (incoming.url ?? '').split(/\?(.*)/s)
  const rawPath = decoded(target)
  const method = incoming.method ?? ''
  const route = routes.find((one) => one.method === method && one.pattern.test(rawPath))
  if (!route) return undefined
  const parameters = Object.entries(route.pattern.exec(rawPath)?.groups ?? {}).map(
    ([name, value]) => [name, decoded(value)],
  )
  const { cookie, ...headers } = joined(incoming)
  const isText = /^(?:text\/|application\/(?:json|javascript|xml))/i.test(
    headers['content-type'] ?? '',
  )
  const sourceIp = incoming.socket.remoteAddress ?? ''
  return {
    version: '2.0',
    routeKey: route.key,
    rawPath,
    rawQueryString,
    ...(cookie !== undefined && { cookies: cookie.split('; ') }),
    headers: {
      ...headers,
      'x-forwarded-for': [headers['x-forwarded-for'], sourceIp].filter(Boolean).join(', '),
    },
    ...(parameters.length > 0 && { pathParameters: Object.fromEntries(parameters) }),
    requestContext: {
      accountId: '123456789012',
      apiId: 'api',
      domainName: headers.host ?? '',
      requestId: `${randomUUID().slice(0, 15)}=`,
      routeKey: route.key,
      stage: '$default',
      timeEpoch: Date.now(),
      http: {
        method,
        path: rawPath,
        protocol: `HTTP/${incoming.httpVersion}`,
        sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the headers with names in lower case, and repeated ones joined by commas. */
function joined({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [
      name,
      values.join(name === 'cookie' ? '; ' : ','),
    ]),
  )
}
