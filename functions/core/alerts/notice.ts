import type { AlertDelivery } from './delivery.ts'
import type { AlertEvent, Severity } from './event.ts'

/** What people are told, in words, and what programs are told, in fields. */
export interface Notice {
  /** Of the delivery: the same however often it is sent. */
  id: string
  /** One line. */
  title: string
  lines: string[]
  severity: Severity
  state: AlertEvent['state'] | 'test'
  /** What a webhook's body holds besides the text. */
  fields: Record<string, unknown>
}

/** How an operator is read. */
const words: Record<string, string> = {
  gt: 'above',
  gte: 'at least',
  lt: 'below',
  lte: 'at most',
  eq: 'exactly',
}

/** What is said of an event. */
export function noticeOf({ id, event }: Pick<AlertDelivery, 'id' | 'event'>): Notice {
  const { ruleName, subject, state, severity, metric, operator, value, threshold, at } = event
  const head = state === 'resolved' ? 'Resolved' : severity.toUpperCase()
  const where =
    subject.kind === 'host' ? subject.hostName : `${subject.name} on ${subject.hostName}`
  const measured = value === null ? 'no value' : numberText(value)
  const limit = `${words[operator] ?? operator} ${numberText(threshold)}`
  return {
    ...{ id, severity, state },
    title: oneLine(`${head}: ${ruleName}: ${where}`, 200),
    lines: [
      `${metric}: ${measured} (alerts when ${limit})`,
      `${subject.kind} ${subject.name}, host ${subject.hostName}`,
      `${severity}, ${state} at ${new Date(at).toISOString()}`,
    ].map((line) => oneLine(line, 500)),
    fields: { event: eventFields(event) },
  }
}

/** What a channel is tried with. */
export function testNotice(id: string, channelName: string, now: number): Notice {
  return {
    ...{ id, severity: 'info', state: 'test' },
    title: oneLine(`Test of the channel ${channelName}`, 200),
    lines: ['Alerts will arrive here.', `Sent at ${new Date(now).toISOString()}`],
    fields: { test: true },
  }
}

/** An event as a webhook and the API have it. */
export function eventFields(event: AlertEvent) {
  const { id, ruleId, ruleName, metric, operator, subject, state, value, threshold } = event
  return {
    ...{ id, rule_id: ruleId, rule_name: ruleName, metric, operator, threshold, value, state },
    severity: event.severity,
    subject: {
      ...{ kind: subject.kind, id: subject.id, name: subject.name },
      ...{ host_id: subject.hostId, host_name: subject.hostName },
    },
    at: new Date(event.at).toISOString(),
  }
}

/** At most two digits behind the point. */
const numberText = (value: number) => String(Math.round(value * 100) / 100)

/** One line without characters that steer a terminal, a mail or the direction of text. */
const oneLine = (text: string, most: number) =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, most)
