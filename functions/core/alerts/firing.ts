import type { Needs } from '../ports/ports.ts'
import type { AlertSubject } from '../records/alert-event.ts'
import type { AlertRule } from '../records/alert-rule.ts'

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
  const names = new Map(hosts.map(({ id, name }) => [id, name]))
  const alerts = states.flat().flatMap(({ ruleId, subjects }) => {
    const rule = enabled.get(ruleId)
    return rule ? Object.values(subjects).flatMap((one) => alertOf(rule, one, names) ?? []) : []
  })
  return alerts.sort((one, other) => other.since - one.since)
}

type State = Awaited<ReturnType<Ports['alertStates']['ofHost']>>[number]['subjects'][string]

function alertOf(
  rule: AlertRule,
  one: State,
  names: ReadonlyMap<string, string>,
): Alert | undefined {
  if (one.phase === 'cooling') return undefined
  const { value, phase } = one
  const subject = withHostName(one.subject, names)
  return { rule, subject, value, state: phase, since: phase === 'firing' ? one.firedAt : one.since }
}

/** Returns the subject with the current name of its host: the stored one is of the last sample. */
function withHostName(subject: AlertSubject, names: ReadonlyMap<string, string>): AlertSubject {
  const hostName = names.get(subject.hostId) ?? subject.hostName
  return { ...subject, hostName, ...(subject.kind === 'host' && { name: hostName }) }
}
