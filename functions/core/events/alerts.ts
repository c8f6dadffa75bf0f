import type { AlertEvent } from '../alerts/event.ts'
import type { Needs } from '../ports.ts'
import type { Happening } from './happening.ts'

/** What another process decided may be written so much later. Milliseconds. */
const late = 30_000

/** Finds out what fires and resolves, by the events of all processes. */
export function alertWatch({ alertEvents, clock }: Needs<'alertEvents' | 'clock'>) {
  let known: Set<string> | undefined
  return {
    async look(): Promise<Happening[]> {
      const found = await alertEvents.since(clock.now() - late)
      const before = known
      known = new Set(found.map(({ id }) => id))
      return before ? found.filter(({ id }) => !before.has(id)).map(happeningOf) : []
    },
  }
}

/** What fired and resolved since then. */
export async function alertsSince(
  since: number,
  { alertEvents }: Needs<'alertEvents'>,
): Promise<Happening[]> {
  return (await alertEvents.since(since)).map(happeningOf)
}

function happeningOf(event: AlertEvent): Happening {
  const { id, subject, state, ruleId, ruleName, metric, severity, value, threshold } = event
  return {
    id: `alert-${id}`,
    time: new Date(event.at).toISOString(),
    source: 'service',
    kind: `alert.${state}`,
    subject: { kind: subject.kind, id: subject.id, name: subject.name },
    by: null,
    details: { rule_id: ruleId, rule: ruleName, metric, severity, value, threshold },
    hosts: [subject.hostId],
    userId: null,
  }
}
