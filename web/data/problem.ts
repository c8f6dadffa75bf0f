import { t } from '../text/text.ts'
import type { components } from './api.types.ts'
import { serviceTime } from './clock.ts'

type Reason = components['headers']['X-Error-Reason']

/** Why a request failed, from the error of the API. */
export interface Problem {
  /** 0 if there was no response. */
  status: number
  /** What is wrong, as the API says it. */
  error: string
  /** `X-Error-Reason`, such as `stale-revision`. */
  reason?: string
  requestId?: string
  /** When trying again may help, in milliseconds since the epoch. */
  retryAt?: number
  /** The password was right, and the account has a second factor. */
  asksCode?: true
}

/** A request that failed, as an error to throw. */
export class RequestError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.error)
    this.name = 'RequestError'
    this.problem = problem
  }
}

/** Returns the problem of a response that is not a success, given its parsed body. */
export function problemOf(response: Response, body: unknown): Problem {
  const reason = response.headers.get('x-error-reason')
  const requestId = response.headers.get('x-request-id')
  const asksCode = response.headers.get('www-authenticate') === 'TOTP'
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  return {
    status: response.status,
    error: messageIn(body) ?? `HTTP ${response.status}`,
    ...(reason && { reason }),
    ...(requestId && { requestId }),
    ...(seconds > 0 && { retryAt: serviceTime() + seconds * 1000 }),
    ...(asksCode && { asksCode }),
  }
}

/** Returns the problem behind anything that was thrown. */
export function asProblem(error: unknown): Problem {
  if (error instanceof RequestError) return error.problem
  return { status: 0, error: error instanceof Error ? error.message : String(error) }
}

/**
 * Returns one problem for several requests of which some failed, or undefined if none did. It has a
 * reason only if all of them failed for the same reason. So a retry is not offered for requests
 * that succeeded.
 *
 * @param count how many requests there were
 */
export function combinedProblem(
  failed: readonly { name: string; problem: Problem }[],
  count: number,
): Problem | undefined {
  const [first] = failed
  if (!first) return undefined
  const { reason, ...others } = first.problem
  const isSame = failed.length === count && failed.every((one) => one.problem.reason === reason)
  const error = failed.map(({ name, problem }) => `${name}: ${problem.error}`).join('; ')
  return { ...others, error, ...(isSame && reason && { reason }) }
}

/** Returns the problem of a request without a response. */
export const noResponse = (): Problem => ({ status: 0, error: t.parts.noResponse })

/** Returns the problem of a request that may have changed something before it was cut off. */
export const unknownOutcome = (): Problem => ({ status: 0, error: t.parts.unknownEnd })

/** Reasons that last until a person does something about them. */
const lasting: readonly Reason[] = ['disk-full', 'host-revoked', 'policy', 'registry-refused']

/** Reasons that pass without action. */
const passing: readonly Reason[] = [
  'engine-busy',
  'host-offline',
  'lease-held',
  'overloaded',
  'slow-reader',
  'registry-unreachable',
  'source-unreachable',
  'store-unavailable',
  'timeout',
]

const isOneOf = (reasons: readonly Reason[], reason: string | undefined) =>
  reasons.some((one) => one === reason)

/** Returns whether a failure with this reason lasts until a person does something about it. */
export const isLasting = ({ reason }: Pick<Problem, 'reason'>) => isOneOf(lasting, reason)

/** Returns whether the same request is likely to succeed later without any other action. */
export const resolvesItself = ({ reason }: Pick<Problem, 'reason'>) => isOneOf(passing, reason)

/** Returns whether trying again later may help: the service did not respond or is overloaded. */
export const isTemporary = (problem: Problem) =>
  (problem.status === 0 || problem.status >= 500) && !isLasting(problem)

/**
 * Returns what the reason of a failure means and what to do next, or undefined where the error says
 * it. A newer service has more reasons.
 */
export function nextStepOf({ reason }: Pick<Problem, 'reason'>): string | undefined {
  const texts: Readonly<Partial<Record<string, string>>> = t.reasons
  return reason !== undefined && Object.hasOwn(texts, reason) ? texts[reason] : undefined
}

function messageIn(body: unknown): string | undefined {
  const error =
    typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  return typeof error === 'string' ? error : undefined
}
