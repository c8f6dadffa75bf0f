import { t } from '../text/text.ts'

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
    ...(seconds > 0 && { retryAt: Date.now() + seconds * 1000 }),
    ...(asksCode && { asksCode }),
  }
}

/** Returns the problem behind anything that was thrown. */
export function asProblem(error: unknown): Problem {
  if (error instanceof RequestError) return error.problem
  return { status: 0, error: error instanceof Error ? error.message : String(error) }
}

/** Returns the problem of a request without a response. */
export const noResponse = (): Problem => ({ status: 0, error: t.parts.noResponse })

/** The same of a request that changes something, and may have done so. */
export const unknownEnd = (): Problem => ({ status: 0, error: t.parts.unknownEnd })

/** Returns whether trying again later may help: the service did not respond or is overloaded. */
export const isTemporary = ({ status }: Problem) => status === 0 || status >= 500

function messageIn(body: unknown): string | undefined {
  const error =
    typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  return typeof error === 'string' ? error : undefined
}
