import { conflict } from '../errors.ts'
import { bringsUp } from '../records/deployment-kinds.ts'
import type { PreparedDeployment, UseBeyondSaver } from './prepared.ts'

/** Uses that the message of a refusal explains. */
const shownMax = 20

/**
 * Refuses a deployment of files that use what an account that saved them may not, unless the caller
 * accepted each use by its name.
 *
 * @throws 409 that lists the other uses
 */
export function refuseUnaccepted(prepared: PreparedDeployment): PreparedDeployment {
  const { beyondSavers, request } = prepared
  const { stack, kind, options } = request
  const accepted = new Set(options.acceptReferences ?? [])
  const open = beyondSavers.filter(({ name }) => !accepted.has(name))
  const accepts = bringsUp(kind) && !options.source
  if (open.length > 0) throw notAccepted(stack.id, open, accepts)
  return prepared
}

/**
 * Returns the failure 409 of uses that were not accepted.
 *
 * @param accepts whether the request can accept them: only deploys and rollbacks can, and not those
 *   for a source
 */
export function notAccepted(stack: string, open: readonly UseBeyondSaver[], accepts: boolean) {
  const names = [...new Set(open.map(({ name }) => JSON.stringify(name)))].join(', ')
  const lines = open.slice(0, shownMax).map(({ name, text }) => `${name}: ${text}`)
  const more = open.length > shownMax ? [`and ${open.length - shownMax} more`] : []
  const wayOut = accepts
    ? `check them, and set accept_references to [${names}]`
    : `deploy the stack first, with accept_references set to [${names}]`
  return conflict(
    `stack ${stack}: an account that saved its files may not use what they refer to: ${wayOut}:\n${[...lines, ...more].join('\n')}`,
    { reason: 'references-not-accepted' },
  )
}
