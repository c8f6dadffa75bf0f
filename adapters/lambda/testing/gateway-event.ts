import type { GatewayEvent } from '../event.ts'

/**
 * Returns an event with every field that the documentation of payload format 2.0 lists, so that a
 * test changes only what it is about.
 */
export function gatewayEvent(changes: Partial<GatewayEvent> = {}): GatewayEvent {
  const whole = {
    version: '2.0',
    routeKey: 'GET /api/v1/stacks/{name}',
    rawPath: '/api/v1/stacks/shop',
    rawQueryString: '',
    headers: { accept: 'application/json', 'x-forwarded-for': '192.0.2.7' },
    queryStringParameters: {},
    requestContext: {
      accountId: '123456789012',
      apiId: 'api-id',
      domainName: 'id.execute-api.us-east-1.amazonaws.com',
      domainPrefix: 'id',
      http: {
        method: 'GET',
        path: '/api/v1/stacks/shop',
        protocol: 'HTTP/1.1',
        sourceIp: '192.0.2.7',
        userAgent: 'agent/1',
      },
      requestId: 'JKJaXmPLvHcESHA=',
      routeKey: 'GET /api/v1/stacks/{name}',
      stage: '$default',
      time: '12/Mar/2026:19:03:58 +0000',
      timeEpoch: 1583348638390,
    },
    isBase64Encoded: false,
    ...changes,
  }
  return whole as GatewayEvent
}
