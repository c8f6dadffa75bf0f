import type { Middleware } from 'openapi-fetch'
import { ServiceError } from './service-error.ts'

/**
 * Throws a ServiceError with the status 0 if a connection is lost: before there is a response, or
 * while its JSON arrives. Whatever else fails is a fault of the program, and stays as it is.
 */
export const lostResponse: Middleware = {
  onError({ error, request }) {
    return request.signal.aborted ? undefined : lost(error)
  },
  async onResponse({ response, request }) {
    if (!/\bjson\b/.test(response.headers.get('content-type') ?? '')) return undefined
    try {
      const text = await response.text()
      JSON.parse(text)
      return new Response(text, response)
    } catch (error) {
      throw request.signal.aborted ? request.signal.reason : lost(error)
    }
  },
}

const lost = (cause: unknown) => new ServiceError('the service cannot be reached', 0, { cause })
