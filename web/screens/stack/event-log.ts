import type { components } from '../../data/api.types.ts'

export type ShownEvent = Extract<components['schemas']['EventMessage'], { id: string }>

/** The most events to keep in the page. */
const keptMax = 1000

/** Returns whether an event is about a stack, its containers, networks or volumes. */
export const isOfStack = ({ subject, details }: ShownEvent, name: string): boolean =>
  (subject?.kind === 'stack' && subject.id === name) || details.stack === name

/**
 * Returns whether other events say the same: an operation reports its own beginning and end, so its
 * request matters only if it was refused or failed.
 */
export const isEcho = ({ kind, details }: ShownEvent): boolean =>
  operations.has(kind) && details.outcome === 'succeeded'

const operations = new Set(
  [
    ...['deploy', 'rollback', 'stop', 'restart', 'start', 'pause', 'unpause', 'scale'],
    ...['pull', 'build', 'down'],
  ].flatMap((verb) => [`stack.${verb}`, `stack.services.${verb}`]),
)

/** Returns the events with newer ones, newest first, each once. */
export function withEvents(
  known: readonly ShownEvent[],
  more: readonly ShownEvent[],
): ShownEvent[] {
  const ids = new Set(known.map(({ id }) => id))
  const news = more.filter(({ id }) => !ids.has(id) && ids.add(id))
  return [...news, ...known]
    .sort((one, two) => (one.time < two.time ? 1 : one.time > two.time ? -1 : 0))
    .slice(0, keptMax)
}

/** Returns the facts of an event that say more than its kind and subject. */
export function factsOf({ details }: ShownEvent): [string, string][] {
  const known = ['stack', 'deployment_id', 'step']
  return Object.entries(details).flatMap(([name, value]): [string, string][] =>
    value === null || value === '' || known.includes(name) ? [] : [[name, String(value)]],
  )
}

/**
 * Returns whether an event has all words of a filter.
 *
 * @param shown how the page says it
 */
export function matches(event: ShownEvent, filter: string, shown = ''): boolean {
  const { kind, subject, by } = event
  const facts = factsOf(event).map(([, value]) => value)
  const text = [kind, subject?.name, subject?.id, by, ...facts, shown].join(' ').toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
