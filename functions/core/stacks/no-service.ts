import { type Failure, notFound } from '../errors.ts'

/** The maximum number of names in a message. */
const namesMax = 20

/**
 * Returns the error for a service that a stack does not have. It names those that the stack has.
 *
 * @param stack the name of the stack
 */
export function noService(stack: string, name: string, services: Iterable<string>): Failure {
  const names = [...services].sort()
  const shown = names.slice(0, namesMax).join(', ') || 'none'
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : ''
  return notFound(`stack ${stack}: it has no service ${name}, it has ${shown}${more}`)
}
