import { ownEntry } from '../../compose/lookup.ts'
import type { AlertEvent, AlertSubject } from '../records/alert-event.ts'
import type { AlertRule } from '../records/alert-rule.ts'
import {
  keyOf,
  type RuleState,
  type RuleTraits,
  type SubjectState,
} from '../records/alert-state.ts'
import { breaches } from './condition.ts'
import { decide, type Moment } from './decide.ts'
import { conditionOf } from './rule.ts'

/** The measured value of a subject; null if it could not be measured. */
export interface Observation {
  subject: AlertSubject
  value: number | null
  /** What is known of the cause, in one line. */
  detail?: string | undefined
}

/** The context of an evaluation. */
export interface Evaluation extends Moment {
  hostId: string
  fence: number
  /** Returns whether a subject that has no value any more was removed. */
  isGone?(subject: AlertSubject): boolean
}

/**
 * Returns the state of a rule on a host after a sample, or undefined if there is nothing to
 * remember. A rule that was deleted, disabled or changed resolves its alerts.
 *
 * @param observations one for every subject of the rule; undefined if the host could not be asked,
 *   which leaves the subjects as they are
 */
export function evaluate(
  rule: AlertRule | undefined,
  previous: RuleState | undefined,
  observations: Iterable<Observation> | undefined,
  evaluation: Evaluation,
): RuleState | undefined {
  const active = rule?.enabled ? rule : undefined
  const condition = active && conditionOf(active)
  const kept = previous && condition === previous.condition ? previous : undefined
  const unsent = (previous?.outbox ?? []).map((one) => ({ ...one }))
  const outbox = [...unsent, ...(kept ? [] : resolveAll(previous, evaluation))]
  if (!active || condition === undefined)
    return previous && withoutSubjects(previous, outbox, evaluation)
  const subjects = observations
    ? evaluateSubjects(active, kept, observations, outbox, evaluation)
    : (kept?.subjects ?? {})
  announceUnmuted(active, subjects, outbox, evaluation)
  if (Object.keys(subjects).length === 0 && outbox.length === 0) return undefined
  const { hostId, fence } = evaluation
  const traits = traitsOf(active)
  return { hostId, ruleId: active.id, condition, rule: traits, subjects, outbox, fence }
}

const traitsOf = (rule: AlertRule): RuleTraits => {
  const { name, metric, operator, threshold, severity, channels } = rule
  return { name, metric, operator, threshold, severity, channels }
}

function withoutSubjects(previous: RuleState, outbox: RuleState['outbox'], { fence }: Evaluation) {
  return outbox.length > 0 ? { ...previous, subjects: {}, outbox, fence } : undefined
}

type Subjects = RuleState['subjects']

function evaluateSubjects(
  rule: AlertRule,
  kept: RuleState | undefined,
  observations: Iterable<Observation>,
  outbox: RuleState['outbox'],
  evaluation: Evaluation,
): Subjects {
  const before = kept?.subjects ?? {}
  const remaining = new Map(Object.entries(before))
  const next: Subjects = {}
  const decideSubject = (
    key: string,
    { subject, value, detail }: Omit<Observation, 'value'> & Partial<Observation>,
  ) => {
    const known = ownEntry(before, key)
    const { state, transition } = decide(rule, known, value, evaluation)
    if (state) next[key] = { ...state, subject }
    if (transition === 'resolved' && known?.phase === 'firing') {
      const about = { id: evaluation.newId(), ruleId: rule.id, subject, at: evaluation.now }
      const isGone = value === undefined && evaluation.isGone?.(subject) === true
      const end = { state: 'resolved', value: value ?? null, ...(isGone && { isGone }) } as const
      const event = eventOf(rule, { ...about, ...end })
      outbox.push({ event, channels: known.told ? rule.channels : [] })
    }
    if (transition === 'firing' && state?.phase === 'firing') {
      const event = firingEvent(rule, state, subject)
      outbox.push({ event: detail === undefined ? event : { ...event, detail }, channels: [] })
    }
  }
  const isIdle = remaining.size === 0
  for (const observation of observations) {
    const { subject, value } = observation
    // Skips the common case: the condition does not hold, so there is no state to keep.
    if (isIdle && (value === null || !breaches(rule, value))) continue
    const key = keyOf(subject)
    remaining.delete(key)
    decideSubject(key, observation)
  }
  for (const [key, { subject }] of remaining) decideSubject(key, { subject })
  return next
}

/** Announces alerts that fired while their rule was muted, once it is not muted any more. */
function announceUnmuted(
  rule: AlertRule,
  subjects: Subjects,
  outbox: RuleState['outbox'],
  { now }: Evaluation,
): void {
  if ((rule.mutedUntil ?? 0) > now) return
  for (const [key, one] of Object.entries(subjects)) {
    if (one.phase !== 'firing' || one.told) continue
    const unsentEvent = outbox.find(({ event }) => event.id === one.eventId)
    if (unsentEvent) unsentEvent.channels = rule.channels
    else outbox.push({ event: firingEvent(rule, one, one.subject), channels: rule.channels })
    subjects[key] = { ...one, told: true }
  }
}

/** Returns the `resolved` events of all alerts of a rule that was deleted, disabled or changed. */
function resolveAll(
  previous: RuleState | undefined,
  { now, newId }: Evaluation,
): RuleState['outbox'] {
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

function firingEvent(rule: AlertRule, state: Firing, subject: AlertSubject): AlertEvent {
  const { eventId: id, firedAt: at, value } = state
  return eventOf(rule, { id, ruleId: rule.id, subject, state: 'firing', value, at })
}

type EventFields = Pick<
  AlertEvent,
  'id' | 'ruleId' | 'subject' | 'state' | 'value' | 'isGone' | 'at'
>

function eventOf(rule: RuleTraits, about: EventFields): AlertEvent {
  const { name: ruleName, metric, operator, threshold, severity } = rule
  return { ...about, ruleName, metric, operator, threshold, severity }
}
