import type { HttpResponse } from '../../functions/kit/event.ts'

/** A response to an HTTP API, payload format 2.0. Each cookie becomes a header `Set-Cookie`. */
export interface GatewayResponse {
  statusCode: number
  headers: Record<string, string>
  cookies?: string[]
  body: string
  isBase64Encoded: false
}

/** Returns the response for the gateway, which takes cookies apart from the headers. */
export function toGatewayResponse({ statusCode, headers, body }: HttpResponse): GatewayResponse {
  const { 'Set-Cookie': cookie, ...others } = headers
  const response = { statusCode, headers: others, body, isBase64Encoded: false } as const
  return cookie === undefined ? response : { ...response, cookies: [cookie] }
}
