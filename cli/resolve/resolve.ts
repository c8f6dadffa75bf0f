import { nearest } from '../../functions/compose/nearest.ts'
import { failed, wrongUsage } from '../failure.ts'
import { clean } from '../output/text.ts'

/** Something that a command line can name. */
export interface Candidate {
  id: string
  name?: string | null
}

/** A shorter text could be a mistyped name that happens to be the beginning of an id. */
export const prefixMin = 4

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns whether a text is a whole id, which needs no search. */
export const isWholeId = (text: string) => uuid.test(text)

/** Returns whether a text may be the beginning of an id. */
export const isIdPrefix = (text: string) =>
  text.length >= prefixMin && text.length < 36 && /^[0-9a-f-]+$/i.test(text)

/**
 * Returns the candidate that a text names, or undefined if there is none. An id wins over a name, a
 * name over the beginning of an id.
 *
 * @throws `CliFailure` 2 that lists the candidates if the text is ambiguous
 */
export function resolve<C extends Candidate>(
  noun: string,
  text: string,
  candidates: readonly C[],
): C | undefined {
  const wanted = normal(text)
  const matches: ((one: C) => boolean)[] = [
    ({ id }) => id === text,
    ({ name }) => name === text,
    ({ name }) => typeof name === 'string' && normal(name) === wanted,
    ({ id }) => isIdPrefix(text) && id.startsWith(text.toLowerCase()),
  ]
  for (const match of matches) {
    const [found, ...others] = candidates.filter(match)
    if (others.length > 0 && found) throw ambiguous(noun, text, [found, ...others])
    if (found) return found
  }
  return undefined
}

/** Returns the failure for a text that names none of the candidates. */
export function unknown(noun: string, text: string, candidates: readonly Candidate[]) {
  const meant = nearest(
    text,
    candidates.flatMap(({ name }) => name ?? []),
  )
  const hint = meant && `did you mean ${clean(meant)}?`
  return failed(`there is no ${noun} ${JSON.stringify(text)}`, { hint })
}

/** More are not suggested. */
const shownMax = 3

/** Returns the failure for a text that names several candidates. */
export function ambiguous(noun: string, text: string, found: readonly Candidate[]) {
  const shown = found.slice(0, shownMax).map(({ id, name }) => (name ? `${id} (${name})` : id))
  const more = found.length > shownMax ? ` and ${found.length - shownMax} more` : ''
  return wrongUsage(
    `${JSON.stringify(text)} is ambiguous: ${found.length} ${noun}s match`,
    `use an id: ${shown.join(', ')}${more}`,
  )
}

/** The service compares names in the same form. */
const normal = (text: string) => text.normalize('NFKC').toLowerCase().normalize('NFKC').trim()
