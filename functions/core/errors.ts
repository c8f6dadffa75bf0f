import { conflict, Failure, type FailureOptions } from '../compose/errors.ts'
import type { Reason } from '../compose/reason.ts'

export {
  conflict,
  Failure,
  type FailureOptions,
  type FailureStatus,
  forbidden,
  type ReasonedStatus,
  refusedByPolicy,
  unprocessable,
} from '../compose/errors.ts'
export { type Reason, reasonNames, reasons } from '../compose/reason.ts'

/** 400: the input is invalid. */
export const invalid = (message: string, options?: FailureOptions) =>
  new Failure(400, message, options)

/** 401: the credential is missing or wrong. */
export const unauthenticated = (message: string, options?: FailureOptions) =>
  new Failure(401, message, {
    ...options,
    headers: { 'WWW-Authenticate': 'Bearer', ...options?.headers },
  })

/** 401: the credential identifies no caller. The caller gets the same message for every reason. */
export const invalidCredential = (options?: FailureOptions) =>
  unauthenticated('the credential is invalid, expired or revoked', options)

/** 404: the requested object does not exist. */
export const notFound = (message: string, options?: FailureOptions) =>
  new Failure(404, message, options)

/** 422: stored or uploaded data is not what it should be, such as an archive that is damaged. */
export const unusable = (message: string, options?: FailureOptions) =>
  new Failure(422, message, { reason: 'conflict', ...options })

/** 423: the account is in cooldown after failed logins. */
export const locked = (message: string, options?: FailureOptions) =>
  new Failure(423, message, options)

/** 500: a part of the service, the store or an Engine failed. */
export const internalError = (message: string, options?: FailureOptions) =>
  new Failure(500, message, options)

/** 500: the service takes no more work now, and soon does again: "try again in a moment". */
export const overloaded = (message: string, cause?: unknown) =>
  internalError(message, { reason: 'overloaded', headers: { 'Retry-After': '2' }, cause })

/**
 * 409: another operation on it runs, which has the lease. It may take long: `Retry-After` only says
 * how often to ask.
 */
export const leaseHeld = (message: string) =>
  conflict(message, { reason: 'lease-held', headers: { 'Retry-After': '5' } })

/** 500: the process ends. Another one, or the next, takes the request. */
export const shuttingDown = () =>
  internalError('the service is shutting down', {
    reason: 'overloaded',
    headers: { 'Retry-After': '5' },
  })

/** Returns whether the error of a system call or of Node has one of these codes, as `ENOENT`. */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && codes.includes(String((error as NodeJS.ErrnoException).code))

/** 500: any error that is not a `Failure`. Its message is not meant for callers. */
export const internalFailure = (cause: unknown) =>
  internalError('the service failed to answer this request', {
    reason: failureReason(cause),
    cause,
  })

/**
 * Returns the message of a `Failure`, or `otherwise` for any other error: the messages of other
 * errors are not meant for callers.
 */
export const publicMessage = (error: unknown, otherwise: string): string =>
  error instanceof Failure ? error.message : otherwise

/** Codes of a connection to another program that broke or could not be made. */
const connectionCodes = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH']

/**
 * Returns why something failed, for programs. An error that is neither a `Failure` nor that of a
 * connection is a bug here.
 */
export function failureReason(error: unknown): Reason {
  if (error instanceof Failure) return error.reason ?? 'internal'
  return hasCode(error, ...connectionCodes) ? 'timeout' : 'internal'
}

/** Reasons that pass without a change of the request or of anything else. */
const passing: ReadonlySet<Reason> = new Set<Reason>([
  'engine-busy',
  'lease-held',
  'overloaded',
  'store-unavailable',
  'timeout',
])

/**
 * Returns whether work that failed was only refused for now: something is busy or away, or the
 * service takes no more work. Work in the background must try that again, as it has no caller who
 * does.
 */
export const isTransient = (error: unknown): boolean => isPassing(failureReason(error))

/** Returns whether work failed for now: what `isTransient` says, or its host is away. */
export const isForNow = (error: unknown): boolean =>
  isTransient(error) || ['host-offline', 'host-revoked'].includes(failureReason(error))

/** Returns whether something failed for a reason that passes. */
export const isPassing = (reason: Reason): boolean => passing.has(reason)
