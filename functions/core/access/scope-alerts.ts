import { matchesAny } from '../alerts/glob.ts'
import type { AlertEvents, AlertRules, AlertStates } from '../alerts/ports.ts'
import type { AlertRule } from '../alerts/rule.ts'
import { forbidden } from '../errors.ts'
import type { Hosts } from '../hosts/ports.ts'
import type { MetricHistory } from '../metrics/history.ts'

/** `hosts` finds those in the caller's scope and throws a `Failure` 403 for others. */
type ScopedHosts = Pick<Hosts, 'find' | 'list'>

/** Rules that are for a host in scope, whether it is the only one or not. */
export function scopeAlertRules(rules: AlertRules, hosts: ScopedHosts): AlertRules {
  const isSeen = async () => {
    const visible = await hosts.list()
    return ({ match }: AlertRule) =>
      visible.some(({ id, name }) => matchesAny(match.hosts, name, id))
  }
  return {
    ...rules,
    async find(id) {
      const rule = await rules.find(id)
      if (rule && !(await isSeen())(rule)) {
        throw forbidden(`rule ${rule.name}: for hosts outside your scope`)
      }
      return rule
    },
    list: async () => (await rules.list()).filter(await isSeen()),
  }
}

/** What goes on on the hosts in scope. */
export function scopeAlertStates(states: AlertStates, hosts: ScopedHosts): AlertStates {
  return {
    ...states,
    ofHost: async (hostId) => ((await hosts.find(hostId)) ? states.ofHost(hostId) : []),
  }
}

/** What happened on the hosts in scope. */
export function scopeAlertEvents(events: AlertEvents, hosts: ScopedHosts): AlertEvents {
  const visible = async () => new Set((await hosts.list()).map(({ id }) => id))
  return {
    ...events,
    list: async (limit) => events.list(limit, await visible()),
    async since(at) {
      const ids = await visible()
      return (await events.since(at)).filter(({ subject }) => ids.has(subject.hostId))
    },
  }
}

/** What was sampled of the hosts in scope. */
export function scopeMetricHistory(history: MetricHistory, hosts: ScopedHosts): MetricHistory {
  const guard = async (hostId: string) => void (await hosts.find(hostId))
  return {
    ...history,
    async ofHost(hostId, since) {
      await guard(hostId)
      return history.ofHost(hostId, since)
    },
    async ofContainer(hostId, containerId, since) {
      await guard(hostId)
      return history.ofContainer(hostId, containerId, since)
    },
    async latest(hostId) {
      await guard(hostId)
      return history.latest(hostId)
    },
    async lastAt(hostId) {
      await guard(hostId)
      return history.lastAt(hostId)
    },
  }
}
