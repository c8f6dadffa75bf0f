import type { components } from '../../data/api.types.ts'

export type EventMessage = components['schemas']['EventMessage']
export type ShownEvent = Extract<EventMessage, { id: string }>

/** The events of a stack, as far as a feed has sent them. */
export interface EventLog {
  /** Newest first. */
  events: readonly ShownEvent[]
  /** The past events were sent. Until then there may be more. */
  isComplete: boolean
  /** Events before this time may be missing. */
  missingUntil?: string
}

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

/**
 * Returns a log with further messages of the feed.
 *
 * @param since from when on the feed sends events
 */
export function withMessages(
  log: EventLog,
  messages: readonly EventMessage[],
  name: string,
  since: string,
): EventLog {
  const more = messages.filter(
    (one): one is ShownEvent => 'id' in one && isOfStack(one, name) && !isEcho(one),
  )
  const gaps = messages.flatMap((one) => ('gap' in one ? [one.gap.to] : []))
  // The feed is asked for a day, and reaches that far but for the time of the request.
  const start = new Date(Date.parse(since) + 60_000).toISOString()
  const missing = [log.missingUntil ?? '', ...gaps.filter((to) => to > start)].sort().at(-1)
  return {
    events: more.length > 0 ? withEvents(log.events, more) : log.events,
    isComplete: log.isComplete || messages.some((one) => 'caught_up' in one),
    ...(missing && { missingUntil: missing }),
  }
}

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
