import type { Needs } from '../ports.ts'
import type { AlertSubject } from './event.ts'
import type { AlertRule } from './rule.ts'

/** A subject that the condition of a rule holds for. */
export interface Alert {
  rule: AlertRule
  subject: AlertSubject
  /** `pending`: the condition holds, but not for long enough yet. */
  state: 'firing' | 'pending'
  /** The value when this state began. */
  value: number
  /** Milliseconds since the epoch. */
  since: number
}

type Ports = Needs<'hosts' | 'alertRules' | 'alertStates'>

/** Returns the current alerts on the hosts in the caller's scope, newest first. */
export async function currentAlerts(ports: Ports): Promise<Alert[]> {
  const [rules, hosts] = await Promise.all([ports.alertRules.list(), ports.hosts.list()])
  const enabled = new Map(rules.filter((rule) => rule.enabled).map((rule) => [rule.id, rule]))
  const states = await Promise.all(hosts.map(({ id }) => ports.alertStates.ofHost(id)))
  const alerts = states.flat().flatMap(({ ruleId, subjects }) => {
    const rule = enabled.get(ruleId)
    return rule ? Object.values(subjects).flatMap((one) => alertOf(rule, one) ?? []) : []
  })
  return alerts.sort((one, other) => other.since - one.since)
}

type State = Awaited<ReturnType<Ports['alertStates']['ofHost']>>[number]['subjects'][string]

function alertOf(rule: AlertRule, one: State): Alert | undefined {
  if (one.phase === 'cooling') return undefined
  const { subject, value, phase } = one
  return { rule, subject, value, state: phase, since: phase === 'firing' ? one.firedAt : one.since }
}
