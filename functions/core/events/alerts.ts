import type { Needs } from '../ports/ports.ts'
import type { PastEvents, ServiceEvent } from '../ports/service-events.ts'
import type { AlertEvent } from '../records/alert-event.ts'
import type { SubjectKind } from '../records/alert-rule.ts'
import { madeAt } from '../records/time-range.ts'

/** How late another process may store an event after it decided it. Milliseconds. */
const late = 30_000

/**
 * Returns a watch that finds the alerts that fire and resolve in all processes, by their stored
 * events.
 */
export function alertWatch({ alertEvents, clock }: Needs<'alertEvents' | 'clock'>) {
  let known: Set<string> | undefined
  return {
    async poll(): Promise<ServiceEvent[]> {
      const found = await alertEvents.since(clock.now() - late)
      const before = known
      known = new Set(found.map(({ id }) => id))
      return before ? found.filter(({ id }) => !before.has(id)).map(eventOf) : []
    },
  }
}

/** Past events that are read. */
const pastMax = 1000

/**
 * Returns the latest 1000 events of alerts that fired or resolved since an instant (ms since the
 * epoch).
 */
export async function alertsSince(
  since: number,
  { alertEvents }: Needs<'alertEvents'>,
): Promise<PastEvents> {
  const { events, next } = await alertEvents.list({ since, limit: pastMax })
  const completeFrom = next === undefined ? since : madeAt(next)
  return { events: events.map(eventOf), completeFrom: Math.max(since, completeFrom) }
}

/** Returns the kind of the subject of an alert as all other events have it, with hyphens. */
const eventSubjectKind = (kind: SubjectKind) => kind.replaceAll('_', '-')

function eventOf(event: AlertEvent): ServiceEvent {
  const { id, subject, state, ruleId, ruleName, metric, severity, value, threshold } = event
  return {
    id: `alert-${id}`,
    time: new Date(event.at).toISOString(),
    source: 'service',
    kind: `alert.${state}`,
    subject: { kind: eventSubjectKind(subject.kind), id: subject.id, name: subject.name },
    by: null,
    details: {
      rule_id: ruleId,
      rule: ruleName,
      subject_kind: subject.kind,
      metric,
      severity,
      value,
      threshold,
    },
    hosts: [subject.hostId],
    userId: null,
  }
}
