import { type Answer, until } from './service.ts'

/**
 * Repeats a call while the service answers that it reads too many files at the moment, which a busy
 * machine can cause. Gives up after 90 seconds.
 */
export function withRetries(call: () => Promise<Answer>): Promise<Answer> {
  return until(call, ({ json }) => !/try again in a moment/.test(json?.error))
}
