import { type CallPlace, ForeignResponse, foreign } from './responses/errors.ts'
import type { EngineClient } from './transport/client.ts'

/**
 * Wraps the methods of an object: an error from reading a response of an unexpected shape, such as
 * an object instead of a list, becomes a 500 that names host and method. Failures and aborts pass
 * unchanged.
 */
export function guarded<T extends object>(engine: T, client: Pick<EngineClient, 'host'>): T {
  const members = Object.entries(engine).map(([name, member]) => [
    name,
    typeof member === 'function'
      ? guardedCall(member as Call, () => ({ host: client.host, step: name }))
      : member,
  ])
  return Object.fromEntries(members)
}

type Call = (...given: unknown[]) => unknown

function guardedCall(call: Call, place: () => CallPlace): Call {
  const fail = (error: unknown): never => {
    throw isShapeError(error) ? foreign(error, place()) : error
  }
  return (...given) => {
    const answer = call(...given)
    if (answer instanceof Promise) return answer.catch(fail)
    return isGenerator(answer) ? guardedGenerator(answer, fail) : answer
  }
}

async function* guardedGenerator(
  generator: AsyncGenerator<unknown, unknown, void>,
  fail: (error: unknown) => never,
): AsyncGenerator<unknown, unknown, void> {
  try {
    return yield* generator
  } catch (error) {
    return fail(error)
  }
}

const isGenerator = (value: unknown): value is AsyncGenerator<unknown, unknown, void> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'return' in value

/** Returns whether the error comes from reading a value of an unexpected shape. */
const isShapeError = (error: unknown) =>
  [ForeignResponse, TypeError, SyntaxError, RangeError].some((kind) => error instanceof kind)
