import type { AlertRule } from '../records/alert-rule.ts'
import type { SubjectState } from '../records/alert-state.ts'
import { isAhead } from '../time/clock-skew.ts'
import { breaches, recovers } from './condition.ts'

/** The time of a decision, in milliseconds since the epoch. */
export interface Moment {
  now: number
  /** Whether the host was not sampled for so long that the time in between is unknown. */
  gap: boolean
  /** Returns an ID for a new event. */
  newId(): string
}

/** The new state of a subject, and the kind of the event if there is one. */
export interface Decision {
  state: SubjectState | undefined
  transition?: 'firing' | 'resolved'
}

type Rule = Pick<AlertRule, 'metric' | 'operator' | 'threshold' | 'forSeconds' | 'cooldownSeconds'>

/** Milliseconds after which a condition that no longer holds resolves the alert at the latest. */
const resolveDelayMax = 60_000

/**
 * Returns the state of a subject after a value. `null` is a value that could not be measured and
 * changes nothing; `undefined` means that the subject is gone. An alert fires once the condition
 * has held for the duration of the rule. It resolves once the condition has been clear for that
 * duration, but at most a minute. Each produces one event.
 */
export function decide(
  rule: Rule,
  state: SubjectState | undefined,
  value: number | null | undefined,
  moment: Moment,
): Decision {
  return decideNow(rule, state && withoutFuture(rule, state, moment.now), value, moment)
}

/**
 * Returns the state without times in the future. Such times were set by a clock that was ahead, and
 * would delay the alert.
 */
function withoutFuture(rule: Rule, state: SubjectState, now: number): SubjectState | undefined {
  if (state.phase === 'pending') {
    return state.since > now ? { ...state, since: now } : state
  }
  if (state.phase === 'firing') {
    return (state.clearSince ?? 0) > now ? { ...state, clearSince: now } : state
  }
  if (isAhead(state.until - rule.cooldownSeconds * 1000, now)) return undefined
  return (state.since ?? 0) > now ? { ...state, since: now } : state
}

function decideNow(
  rule: Rule,
  state: SubjectState | undefined,
  value: number | null | undefined,
  moment: Moment,
): Decision {
  if (value === undefined) return afterGone(rule, state, moment)
  if (value === null) return { state }
  const holds = breaches(rule, value)
  if (!state) return holds ? pendingOrFiring(rule, value, moment.now, moment) : { state: undefined }
  if (state.phase === 'pending') {
    if (!holds) return { state: undefined }
    return pendingOrFiring(rule, value, moment.gap ? moment.now : state.since, moment)
  }
  if (state.phase === 'firing') return afterFiring(rule, state, value, moment)
  return afterCooling(rule, state, holds ? value : undefined, moment)
}

/**
 * Returns how long the condition must hold. For `restarts` it is 0: `forSeconds` is the period in
 * which restarts are counted. Milliseconds.
 */
const holdDuration = ({ metric, forSeconds }: Rule) =>
  metric === 'restarts' ? 0 : forSeconds * 1000

function pendingOrFiring(
  rule: Rule,
  value: number,
  since: number,
  { now, newId }: Moment,
): Decision {
  if (now - since < holdDuration(rule)) return { state: { phase: 'pending', since, value } }
  const fired = { firedAt: now, clearSince: null, eventId: newId(), told: false }
  return { state: { phase: 'firing', value, ...fired }, transition: 'firing' }
}

type Firing = Extract<SubjectState, { phase: 'firing' }>

function afterFiring(rule: Rule, state: Firing, value: number, { now, gap }: Moment): Decision {
  if (!recovers(rule, value)) {
    return { state: state.clearSince === null ? state : { ...state, clearSince: null } }
  }
  const clearSince = gap ? now : (state.clearSince ?? now)
  if (now - clearSince >= Math.min(holdDuration(rule), resolveDelayMax)) {
    return { state: cooling(rule, state, now), transition: 'resolved' }
  }
  return { state: { ...state, clearSince } }
}

type Cooling = Extract<SubjectState, { phase: 'cooling' }>

function afterCooling(
  rule: Rule,
  state: Cooling,
  holding: number | undefined,
  moment: Moment,
): Decision {
  const { now, gap } = moment
  if (holding === undefined) {
    if (now >= state.until) return { state: undefined }
    return { state: state.since === null ? state : { ...state, since: null } }
  }
  const since = gap ? now : (state.since ?? now)
  if (now >= state.until) return pendingOrFiring(rule, holding, since, moment)
  return { state: state.since === since ? state : { ...state, since } }
}

function afterGone(rule: Rule, state: SubjectState | undefined, { now }: Moment): Decision {
  if (state?.phase === 'firing') return { state: cooling(rule, state, now), transition: 'resolved' }
  if (state?.phase !== 'cooling' || now >= state.until) return { state: undefined }
  return { state: state.since === null ? state : { ...state, since: null } }
}

function cooling({ cooldownSeconds }: Rule, { firedAt }: Firing, now: number) {
  const until = firedAt + cooldownSeconds * 1000
  return until > now ? ({ phase: 'cooling', until, since: null } as const) : undefined
}
