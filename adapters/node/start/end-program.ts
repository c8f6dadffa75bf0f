import { Failure } from '../../../functions/core/errors.ts'
import { ConfigError } from '../config/schema.ts'
import { startTrouble } from './start-trouble.ts'

/**
 * Returns a function that says why a program beside the service did nothing, and ends it: with 2
 * for a wrong configuration, else with 1. Errors that nothing handles end it too, because half of
 * its work could look complete.
 *
 * @param head what the message begins with: "Not done"
 */
export function endProgram(head: string): (error: unknown) => never {
  const end = (error: unknown): never => {
    const text = error instanceof Failure ? error.message : startTrouble(error)
    process.stderr.write(`${head}: ${text}\n`)
    process.exit(error instanceof ConfigError ? 2 : 1)
  }
  process.on('unhandledRejection', end)
  process.on('uncaughtException', end)
  return end
}
