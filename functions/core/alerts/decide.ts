import { isAhead } from '../clock-skew.ts'
import { breaches, recovers } from './condition.ts'
import type { AlertRule } from './rule.ts'
import type { SubjectState } from './state.ts'

/** When it is decided. Milliseconds since the epoch. */
export interface Moment {
  now: number
  /** True when nobody looked for so long that nothing is known of the time between. */
  gap: boolean
  /** A new event's id. */
  newId(): string
}

/** How a subject stands now, and whether that is news. */
export interface Decision {
  state: SubjectState | undefined
  news?: 'firing' | 'resolved'
}

type Rule = Pick<AlertRule, 'metric' | 'operator' | 'threshold' | 'forSeconds' | 'cooldownSeconds'>

/** The longest that an alert must be over before it is resolved. Milliseconds. */
const holdMost = 60_000

/**
 * How a subject stands after a value: `null` for one that could not be measured, which changes nothing, `undefined` for a
 * subject that is gone. It fires once it held for as long as the rule says and resolves once it has been clear for as
 * long, at most a minute; each is told once.
 */
export function decide(
  rule: Rule,
  state: SubjectState | undefined,
  value: number | null | undefined,
  moment: Moment,
): Decision {
  return decideNow(rule, state && withoutFuture(rule, state, moment.now), value, moment)
}

/** A state with no time that has not come yet: those of a clock that was ahead would hold it up. */
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
  if (value === undefined) return gone(rule, state, moment)
  if (value === null) return { state }
  const holds = breaches(rule, value)
  if (!state) return holds ? begin(rule, value, moment.now, moment) : { state: undefined }
  if (state.phase === 'pending') {
    if (!holds) return { state: undefined }
    return begin(rule, value, moment.gap ? moment.now : state.since, moment)
  }
  if (state.phase === 'firing') return goOn(rule, state, value, moment)
  return coolOn(rule, state, holds ? value : undefined, moment)
}

/** For `restarts` the time is that in which they are counted. */
const patienceOf = ({ metric, forSeconds }: Rule) => (metric === 'restarts' ? 0 : forSeconds * 1000)

function begin(rule: Rule, value: number, since: number, { now, newId }: Moment): Decision {
  if (now - since < patienceOf(rule)) return { state: { phase: 'pending', since, value } }
  const fired = { firedAt: now, clearSince: null, eventId: newId(), told: false }
  return { state: { phase: 'firing', value, ...fired }, news: 'firing' }
}

type Firing = Extract<SubjectState, { phase: 'firing' }>

function goOn(rule: Rule, state: Firing, value: number, { now, gap }: Moment): Decision {
  if (!recovers(rule, value)) {
    return { state: state.clearSince === null ? state : { ...state, clearSince: null } }
  }
  const clearSince = gap ? now : (state.clearSince ?? now)
  if (now - clearSince >= Math.min(patienceOf(rule), holdMost)) {
    return { state: cooling(rule, state, now), news: 'resolved' }
  }
  return { state: { ...state, clearSince } }
}

type Cooling = Extract<SubjectState, { phase: 'cooling' }>

function coolOn(rule: Rule, state: Cooling, holding: number | undefined, moment: Moment): Decision {
  const { now, gap } = moment
  if (holding === undefined) {
    if (now >= state.until) return { state: undefined }
    return { state: state.since === null ? state : { ...state, since: null } }
  }
  const since = gap ? now : (state.since ?? now)
  if (now >= state.until) return begin(rule, holding, since, moment)
  return { state: state.since === since ? state : { ...state, since } }
}

function gone(rule: Rule, state: SubjectState | undefined, { now }: Moment): Decision {
  if (state?.phase === 'firing') return { state: cooling(rule, state, now), news: 'resolved' }
  if (state?.phase !== 'cooling' || now >= state.until) return { state: undefined }
  return { state: state.since === null ? state : { ...state, since: null } }
}

function cooling({ cooldownSeconds }: Rule, { firedAt }: Firing, now: number) {
  const until = firedAt + cooldownSeconds * 1000
  return until > now ? ({ phase: 'cooling', until, since: null } as const) : undefined
}
