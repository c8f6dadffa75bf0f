import type { Finding } from '../../compose/publish/findings.ts'
import { conflict } from '../errors.ts'
import type { Caller } from '../records/account.ts'

/** Findings that the message of a refusal names. */
const namedMax = 20

/** A finding as a caller sees it. */
export type ShownFinding = Omit<Finding, 'exactPlace'>

/** Returns findings as a caller may see them: with values and exact places, or without. */
export const shownFindings = (
  findings: readonly Finding[],
  { permissions }: Pick<Caller, 'permissions'>,
): ShownFinding[] =>
  findings.map(({ exactPlace, place, value, ...rest }) =>
    permissions.has('stacks:secrets')
      ? { ...rest, value, place: exactPlace }
      : { ...rest, value: null, place },
  )

/**
 * Checks that each finding is of a kind that was accepted.
 *
 * @throws 409 that lists those that are not, without their values
 */
export function requireAccepted(
  findings: readonly Finding[],
  accepted: ReadonlySet<Finding['kind']>,
): void {
  const open = findings.filter(({ kind }) => !accepted.has(kind))
  if (open.length === 0) return
  const named = open.slice(0, namedMax).map(({ place, what }) => `${place}: ${what}`)
  const more = open.length > namedMax ? [`and ${open.length - namedMax} more`] : []
  const kinds = [...new Set(open.map(({ kind }) => JSON.stringify(kind)))].join(', ')
  throw conflict(
    `the publication has what must be accepted first, with accept: [${kinds}]:\n${[...named, ...more].join('\n')}`,
  )
}
