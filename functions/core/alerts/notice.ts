import type { Site } from '../ports/site.ts'
import type { AlertDelivery } from '../records/alert-delivery.ts'
import type { AlertEvent } from '../records/alert-event.ts'
import type { Notice } from '../records/alert-notice.ts'

/** The text of each operator. */
const words: Record<string, string> = {
  gt: 'above',
  gte: 'at least',
  lt: 'below',
  lte: 'at most',
  eq: 'exactly',
}

/** Returns the notice of an event. */
export function noticeOf({ id, event }: Pick<AlertDelivery, 'id' | 'event'>): Notice {
  const { ruleName, subject, state, severity, metric, operator, value, threshold, at } = event
  const cause = event.detail === undefined ? [] : [event.detail]
  const head = state === 'resolved' ? 'Resolved' : severity.toUpperCase()
  const where =
    subject.kind === 'host' ? subject.hostName : `${subject.name} on ${subject.hostName}`
  const measured = value === null ? 'no value' : numberText(value)
  const limit = `${words[operator] ?? operator} ${numberText(threshold)}`
  return {
    id,
    severity,
    state,
    title: oneLine(`${head}: ${ruleName}: ${where}`, 200),
    lines: [
      event.isGone
        ? `the ${subject.kind.replace('_', ' ')} is gone`
        : `${metric}: ${measured} (alerts when ${limit})`,
      ...cause,
      `${subject.kind} ${subject.name}, host ${subject.hostName}`,
      `${severity}, ${state} at ${new Date(at).toISOString()}`,
    ].map((line) => oneLine(line, 500)),
    link: null,
    fields: { event: eventFields(event) },
  }
}

/** Returns the notice that tests a channel. */
export function testNotice(id: string, channelName: string, now: number): Notice {
  return {
    id,
    severity: 'info',
    state: 'test',
    title: oneLine(`Test of the channel ${channelName}`, 200),
    lines: ['Alerts will arrive here.', `Sent at ${new Date(now).toISOString()}`],
    link: null,
    fields: { test: true },
  }
}

/** Returns the notice with a link to the alerts, if the public address of the service is known. */
export const withLink = (notice: Notice, { baseUrl }: Site): Notice => ({
  ...notice,
  link: baseUrl === null ? null : `${baseUrl}/alerts`,
})

/** Returns the whole text of a notice. */
export const plainText = ({ title, lines, link }: Notice): string =>
  [title, ...textLines({ lines, link })].join('\n')

/** Returns the lines below the title; the link is the last one. */
export const textLines = ({ lines, link }: Pick<Notice, 'lines' | 'link'>): string[] =>
  link === null ? lines : [...lines, link]

/** Returns an event in the form that webhooks and the API use. */
export function eventFields(event: AlertEvent) {
  const { id, ruleId, ruleName, metric, operator, subject, state, value, threshold } = event
  return {
    id,
    rule_id: ruleId,
    rule_name: ruleName,
    metric,
    operator,
    threshold,
    value,
    detail: event.detail ?? null,
    state,
    subject_gone: event.isGone === true,
    severity: event.severity,
    subject: {
      kind: subject.kind,
      id: subject.id,
      name: subject.name,
      host_id: subject.hostId,
      host_name: subject.hostName,
    },
    at: new Date(event.at).toISOString(),
  }
}

/** Formats a number with at most two decimals. */
const numberText = (value: number) => String(Math.round(value * 100) / 100)

/**
 * Returns one line without control and format characters, which could affect a terminal, a mail or
 * the direction of text.
 */
export const oneLine = (text: string, most: number): string =>
  cut(text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim(), most)

/** Returns at most that many characters, and no half of one, which some receivers refuse. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
