import type { components } from '../../data/api.types.ts'
import { t } from '../../text/text.ts'
import { actionWords } from './action-words.ts'
import { nameOf, type SubjectNames } from './subject-names.ts'

type AuditRow = components['schemas']['AuditRow']
export type Outcome = AuditRow['outcome'] | 'accepted'

/** Returns what was done, and to what: "Deploy shop". */
export const whatOf = ({ action, subject }: AuditRow, names: SubjectNames): string =>
  actionWords(action, subject === null ? '' : nameOf(subject, names))

/** Returns who did it. An agent has no account: it acts for its host. */
export function actorOf(row: AuditRow, names: SubjectNames): string {
  const { actor, username, action, subject } = row
  if (username !== null) return username
  if (actor === 'service') return t.audit.service
  const isAgent = /^agents\.|^hosts\.agent\./.test(action) && subject?.kind === 'hosts'
  return isAgent ? t.audit.agent(nameOf(subject, names)) : t.audit.nobody
}

/**
 * Returns how an action ended. What goes on after its response has a row of its own for its end.
 *
 * @param all the rows of the list, which may have that row
 */
export function outcomeOf(row: AuditRow, all: readonly AuditRow[]): Outcome {
  const end = all.find(({ continues }) => continues === row.id)
  if (end) return outcomeOf(end, all)
  return row.outcome === 'succeeded' && row.status === 202 ? 'accepted' : row.outcome
}

/** Returns the rows to list: the end of an action is shown with its beginning. */
export function listedRows(all: readonly AuditRow[]): AuditRow[] {
  const ids = new Set(all.map(({ id }) => id))
  return all.filter(({ continues }) => continues === null || !ids.has(continues))
}
