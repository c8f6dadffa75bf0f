import { broken, conflict, Failure, invalid, notFound } from '../../functions/core/errors.ts'

/** What the Engine answered when it was not a success: its status and its own words. */
export class EngineRefusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'EngineRefusal'
    this.status = status
  }
}

/** The Engine did not answer within the deadline of the call, in milliseconds. */
export class DeadlinePassed extends Error {
  readonly milliseconds: number

  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms`)
    this.name = 'DeadlinePassed'
    this.milliseconds = milliseconds
  }
}

/**
 * The `Failure` for what an Engine call threw. 404 and 400 keep their status; an id that several things begin with is a 400; 409 and 403 (the Engine's word for a network
 * in use) are a 409; all else is a 500 that names the host.
 */
export function failureOf(error: unknown, host: string): Failure {
  if (error instanceof EngineRefusal) return refused(error)
  if (error instanceof DeadlinePassed) {
    const seconds = error.milliseconds / 1000
    return broken(`The Docker Engine of host ${host} did not answer within ${seconds} s`, {
      cause: error,
    })
  }
  return broken(`The Docker Engine of host ${host} does not answer`, { cause: error })
}

const ambiguous = /^Multiple IDs found with provided prefix/

function refused(refusal: EngineRefusal): Failure {
  const options = { cause: refusal }
  switch (refusal.status) {
    case 400:
      return invalid(refusal.message, options)
    case 404:
      return notFound(refusal.message, options)
    case 403:
    case 409:
      return conflict(refusal.message, options)
    default:
      // The Engine has no status of its own for it.
      return ambiguous.test(refusal.message)
        ? invalid(`${refusal.message}: give more of the id`, options)
        : broken(refusal.message, options)
  }
}

/** True for a `Failure` 404. */
export const isMissing = (error: unknown) => error instanceof Failure && error.status === 404

/** True for a `Failure` 409. */
export const isConflict = (error: unknown) => error instanceof Failure && error.status === 409

/** What comes of it, or undefined after a `Failure` 404. */
export const unlessMissing = <T>(work: Promise<T>) => unless(isMissing, work)

/** What comes of it, or undefined after a `Failure` 409. */
export const unlessConflict = <T>(work: Promise<T>) => unless(isConflict, work)

function unless<T>(isThat: (error: unknown) => boolean, work: Promise<T>): Promise<T | undefined> {
  return work.catch((error) => {
    if (isThat(error)) return undefined
    throw error
  })
}
