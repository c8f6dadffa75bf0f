import {
  conflict,
  Failure,
  internalError,
  invalid,
  notFound,
} from '../../../functions/core/errors.ts'
import { escapedText, knownMessage, type MissingThing, missingThing } from './engine-messages.ts'
import { reasonOfMessage } from './engine-reasons.ts'

/** An error response of the Engine. Its message is only for the log. */
export class EngineRefusal extends Error {
  readonly status: number
  /** The text for callers, or undefined if the message is unknown. */
  readonly plain: string | undefined
  /** The network or container that the Engine did not find. */
  readonly missing: MissingThing | undefined

  constructor(status: number, words: string) {
    super(escapedText(words))
    this.name = 'EngineRefusal'
    this.status = status
    this.plain = knownMessage(words)
    this.missing = missingThing(words)
  }
}

/** A response that does not come from a Docker Engine. */
export class ForeignResponse extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(escapedText(what), options)
    this.name = 'ForeignResponse'
  }
}

/** The Engine did not respond within the deadline of the call. */
export class DeadlineExceeded extends Error {
  readonly milliseconds: number

  constructor(milliseconds: number) {
    super(`no response within ${milliseconds} ms`)
    this.name = 'DeadlineExceeded'
    this.milliseconds = milliseconds
  }
}

/** Describes a failed call: the name of the host and the call, such as `GET /containers/json`. */
export interface CallPlace {
  host: string
  step: string
}

/**
 * Returns a failure with a message for callers. 404 and 400 keep their status, and an ambiguous id
 * is a 400. 409 becomes a 409 unless the call is a read, and so does 403, which the Engine sends
 * for a network in use. Any other error is a 500 that names the host and the call. The Engine's
 * message is in the cause, for the log.
 */
export function failureOf(error: unknown, place: CallPlace): Failure {
  const { host } = place
  if (error instanceof EngineRefusal) return refused(error, place)
  if (isForeign(error)) return foreign(error, place)
  if (error instanceof DeadlineExceeded) {
    const seconds = error.milliseconds / 1000
    return internalError(
      `The Docker Engine of host ${host} did not respond within ${seconds} s (${place.step})`,
      { reason: 'engine-busy', cause: error },
    )
  }
  return internalError(`The Docker Engine of host ${host} does not respond (${place.step})`, {
    reason: 'engine-failed',
    cause: error,
  })
}

/** Returns the 500 for a response that is not from a Docker Engine. */
export const foreign = (cause: unknown, { host, step }: CallPlace): Failure =>
  internalError(
    `The Docker Engine of host ${host} sent a response that is not from a Docker Engine (${step})`,
    { reason: 'engine-failed', cause },
  )

/** Returns whether a response is invalid HTTP or not from an Engine. */
const isForeign = (error: unknown) =>
  error instanceof ForeignResponse ||
  String((error as NodeJS.ErrnoException)?.code ?? '').startsWith('HPE_')

function refused(refusal: EngineRefusal, { host, step }: CallPlace): Failure {
  const { status, plain } = refusal
  const reason = reasonOfMessage(plain, status)
  const options = { cause: refusal, detail: refusal.message }
  const words = plain ?? unknownMessage(status, host, step)
  if (status === 400) return invalid(words, options)
  if (status === 404) return notFound(words, options)
  // A read cannot conflict with anything.
  if (status === 403 || status === 409) {
    const refuse = /^(GET|HEAD) /.test(step) ? internalError : conflict
    return refuse(words, { ...options, reason })
  }
  // The Engine reports this as a 500.
  if (plain?.startsWith('Multiple IDs')) return invalid(`${plain}: enter more of the ID`, options)
  return internalError(words, { ...options, reason })
}

/** The message for an Engine error that `knownMessage` does not know. */
const unknownMessage = (status: number, host: string, step: string) =>
  `The Docker Engine of host ${host} refused ${step} with status ${status}`

/**
 * Returns the 500 for an error in a stream that began with success. `otherwise` is the message for
 * unknown errors.
 */
export const streamFailure = (words: string, otherwise: string): Failure =>
  internalError(knownMessage(words) ?? otherwise, {
    reason: reasonOfMessage(knownMessage(words), 500),
    cause: new EngineRefusal(200, words),
    detail: escapedText(words),
  })

/** Returns whether the error is a 404. */
export const isMissing = (error: unknown) => error instanceof Failure && error.status === 404

/** Returns whether the error is a 409. */
export const isConflict = (error: unknown) => error instanceof Failure && error.status === 409

/** Returns the result of the work, or undefined if it fails with a 404. */
export const unlessMissing = <T>(work: Promise<T>) => unless(isMissing, work)

/** Returns the result of the work, or undefined if it fails with a 409. */
export const unlessConflict = <T>(work: Promise<T>) => unless(isConflict, work)

function unless<T>(isThat: (error: unknown) => boolean, work: Promise<T>): Promise<T | undefined> {
  return work.catch((error) => {
    if (isThat(error)) return undefined
    throw error
  })
}
