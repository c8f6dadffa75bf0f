import type { CustomFetch } from 'openid-client'
import type { Dialer } from '../net/outbound.ts'
import { type OutboundAnswer, outboundRequest } from '../net/request.ts'

/** Bytes. No discovery document, key set or response of a provider should be larger. */
const largest = 1024 * 1024

/** Milliseconds. Longer than the library's own timeout. */
const timeout = 10_000

/** Returns whether the URL is plain HTTP to this machine. */
export const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)

/**
 * Returns a fetch that only uses HTTPS, or with `local` also plain HTTP to this machine. It dials
 * only addresses that the outbound policy allows, follows no redirects and reads at most 1 MiB.
 * Rejects otherwise, as `fetch` does.
 */
export function guardedFetch(dialer: Dialer, local: boolean): CustomFetch {
  return async (address, { method, headers, body, signal }) => {
    const url = new URL(address)
    if (url.protocol !== 'https:' && !(local && isLocal(url))) {
      throw new Error(`the provider refers to ${url.protocol}//${url.hostname}`)
    }
    const request = {
      method,
      headers: { ...headers },
      body: body ? String(body) : undefined,
      signal,
    }
    const answer = await outboundRequest(dialer, {
      url,
      ...request,
      timeout,
      largest,
    }).catch((cause) => {
      throw cause?.name === 'TimeoutError' ? cause : new TypeError('fetch failed', { cause })
    })
    if (answer.cut) throw new Error('the response of the provider is too large or was cut short')
    return responseOf(answer)
  }
}

function responseOf({ status, headers, body }: OutboundAnswer): Response {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  const shown = [204, 205, 304].includes(status) ? null : new Uint8Array(body)
  return new Response(shown, { status: status >= 200 ? status : 502, headers: entries })
}
