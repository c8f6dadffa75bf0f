import { retryAfter } from '../../functions/core/alerts/attempt.ts'
import { Failure, internalError, unprocessable } from '../../functions/core/errors.ts'
import { RegistryLimited } from '../../functions/core/ports/image-registry.ts'
import { connectionCauses } from '../net/connection-causes.ts'
import { OutboundBlocked } from '../net/outbound.ts'
import { ProxyFailed } from '../net/proxy-tunnel.ts'
import { type OutboundAnswer, OutboundTimeout } from '../net/request.ts'

/** Returns the failure of a registry, or of a service that it names, that cannot be reached. */
export function unreachable(host: string, error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof OutboundBlocked) {
    const options = { reason: 'registry-refused', cause: error } as const
    return unprocessable(`the registry ${host}: ${error.message}`, options)
  }
  const { code, message } = error as { code?: unknown; message?: string }
  const isOurs = error instanceof OutboundTimeout || error instanceof ProxyFailed
  const known = isOurs ? message : causeTexts[String(code)]
  const why = known ?? (typeof code === 'string' ? code : 'the connection failed')
  return internalError(`the registry cannot be reached: ${host}: ${why}`, {
    reason: 'registry-unreachable',
    cause: error,
  })
}

const causeTexts: Record<string, string> = {
  ...connectionCauses,
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
}

/** Returns the failure for a response with the status 429. */
export function limited({ headers }: Pick<OutboundAnswer, 'headers'>): RegistryLimited {
  const milliseconds = retryAfter(headers['retry-after'], Date.now())
  return new RegistryLimited(milliseconds === null ? undefined : milliseconds / 1000)
}

/** Returns the failure for a response with an unexpected status. `what` names the request. */
export function refusal(what: string, answer: Pick<OutboundAnswer, 'status' | 'body'>): Failure {
  const { status } = answer
  if (status >= 500) {
    return internalError(`the registry failed: ${what} ended with ${status}`, {
      reason: 'registry-unreachable',
    })
  }
  const why =
    status === 401 || status === 403
      ? 'it does not accept the credentials for this repository'
      : status >= 300 && status < 400
        ? 'it redirects, which is not followed'
        : `it responds with ${status}`
  return refused(`${what}: ${why}${codeOf(answer.body)}`)
}

/** Returns the failure for a registry that refuses something, or does not respond like one. */
export const refused = (why: string): Failure =>
  unprocessable(`the registry refuses it: ${why}`, { reason: 'registry-refused' })

/** Returns the error code in a response. No other text of a registry is shown. */
function codeOf(body: Uint8Array): string {
  const code = parseObject(body)?.errors?.[0]?.code
  return typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? ` (${code})` : ''
}

interface RegistryJson {
  errors?: { code?: unknown }[]
  [name: string]: unknown
}

/** Returns the JSON object in a body, or undefined. */
export function parseObject(body: Uint8Array): RegistryJson | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString())
    return typeof value === 'object' && value !== null ? (value as RegistryJson) : undefined
  } catch {
    return undefined
  }
}
