import { breaches } from './condition.ts'
import { decide, type Moment } from './decide.ts'
import type { AlertEvent, AlertSubject } from './event.ts'
import { type AlertRule, conditionOf } from './rule.ts'
import { keyOf, type RuleState, type RuleTraits, type SubjectState } from './state.ts'

/** What was measured of a subject; null where it could not be. */
export interface Observation {
  subject: AlertSubject
  value: number | null
}

/** Who decides, and when. */
export interface Evaluation extends Moment {
  hostId: string
  fence: number
}

/**
 * Where everything stands with a rule on a host after a look at it; nothing when there is nothing to remember. `seen` is
 * every subject of the rule that there is, or nothing when the host could not be asked: then all stays as it is. A rule
 * that is gone, switched off or changed resolves what it fired.
 */
export function evaluate(
  rule: AlertRule | undefined,
  previous: RuleState | undefined,
  seen: Iterable<Observation> | undefined,
  evaluation: Evaluation,
): RuleState | undefined {
  const active = rule?.enabled ? rule : undefined
  const condition = active && conditionOf(active)
  const kept = previous && condition === previous.condition ? previous : undefined
  const untold = (previous?.outbox ?? []).map((one) => ({ ...one }))
  const outbox = [...untold, ...(kept ? [] : endAll(previous, evaluation))]
  if (!active || condition === undefined) return previous && ended(previous, outbox, evaluation)
  const subjects = seen ? look(active, kept, seen, outbox, evaluation) : (kept?.subjects ?? {})
  tellUnmuted(active, subjects, outbox, evaluation)
  if (Object.keys(subjects).length === 0 && outbox.length === 0) return undefined
  const { hostId, fence } = evaluation
  const traits = traitsOf(active)
  return { hostId, ruleId: active.id, condition, rule: traits, subjects, outbox, fence }
}

const traitsOf = (rule: AlertRule): RuleTraits => {
  const { name, metric, operator, threshold, severity, channels } = rule
  return { name, metric, operator, threshold, severity, channels }
}

function ended(previous: RuleState, outbox: RuleState['outbox'], { fence }: Evaluation) {
  return outbox.length > 0 ? { ...previous, subjects: {}, outbox, fence } : undefined
}

type Subjects = RuleState['subjects']

function look(
  rule: AlertRule,
  kept: RuleState | undefined,
  seen: Iterable<Observation>,
  outbox: RuleState['outbox'],
  evaluation: Evaluation,
): Subjects {
  const before = kept?.subjects ?? {}
  const left = new Set(Object.keys(before))
  const next: Subjects = {}
  const step = (key: string, subject: AlertSubject, value: number | null | undefined) => {
    const known = before[key]
    const { state, news } = decide(rule, known, value, evaluation)
    if (state) next[key] = { ...state, subject }
    if (news === 'resolved' && known?.phase === 'firing') {
      const about = { id: evaluation.newId(), ruleId: rule.id, subject, at: evaluation.now }
      const event = eventOf(rule, { ...about, state: 'resolved', value: value ?? null })
      outbox.push({ event, channels: known.told ? rule.channels : [] })
    }
    if (news === 'firing' && state?.phase === 'firing') {
      outbox.push({ event: firingOf(rule, state, subject), channels: [] })
    }
  }
  const isIdle = left.size === 0
  for (const { subject, value } of seen) {
    // Most rules hold for nothing, and then nothing is to be remembered.
    if (isIdle && (value === null || !breaches(rule, value))) continue
    const key = keyOf(subject)
    left.delete(key)
    step(key, subject, value)
  }
  for (const key of left) step(key, before[key]!.subject, undefined)
  return next
}

/** Alerts that nobody was told of are told as soon as their rule is not muted any more. */
function tellUnmuted(
  rule: AlertRule,
  subjects: Subjects,
  outbox: RuleState['outbox'],
  { now }: Evaluation,
): void {
  if ((rule.mutedUntil ?? 0) > now) return
  for (const [key, one] of Object.entries(subjects)) {
    if (one.phase !== 'firing' || one.told) continue
    const fresh = outbox.find(({ event }) => event.id === one.eventId)
    if (fresh) fresh.channels = rule.channels
    else outbox.push({ event: firingOf(rule, one, one.subject), channels: rule.channels })
    subjects[key] = { ...one, told: true }
  }
}

/** The ends of all alerts of a rule that is no more what it was. */
function endAll(previous: RuleState | undefined, { now, newId }: Evaluation): RuleState['outbox'] {
  if (!previous) return []
  const { rule, ruleId } = previous
  return Object.values(previous.subjects).flatMap((one) => {
    if (one.phase !== 'firing') return []
    const about = { id: newId(), ruleId, subject: one.subject, at: now }
    const event = eventOf(rule, { ...about, state: 'resolved', value: null })
    return [{ event, channels: one.told ? rule.channels : [] }]
  })
}

type Firing = Extract<SubjectState, { phase: 'firing' }>

function firingOf(rule: AlertRule, state: Firing, subject: AlertSubject): AlertEvent {
  const { eventId: id, firedAt: at, value } = state
  return eventOf(rule, { id, ruleId: rule.id, subject, state: 'firing', value, at })
}

type About = Pick<AlertEvent, 'id' | 'ruleId' | 'subject' | 'state' | 'value' | 'at'>

function eventOf(rule: RuleTraits, about: About): AlertEvent {
  const { name: ruleName, metric, operator, threshold, severity } = rule
  return { ...about, ruleName, metric, operator, threshold, severity }
}
