import { forbidden } from '../errors.ts'
import { matchesAny } from '../glob.ts'
import type { AlertEvents } from '../ports/alert-events.ts'
import type { AlertRules } from '../ports/alert-rules.ts'
import type { AlertStates } from '../ports/alert-states.ts'
import type { Hosts } from '../ports/hosts.ts'
import type { MetricHistory } from '../ports/metric-history.ts'
import type { UsageHistory } from '../ports/usage-history.ts'
import type { AlertRule } from '../records/alert-rule.ts'

/** The hosts in the caller's scope: `find` throws 403 for others, `list` leaves them out. */
type ScopedHosts = Pick<Hosts, 'find' | 'list'>

/** Returns the rules that match at least one host in scope. */
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
        throw forbidden(`rule ${rule.name}: applies to hosts outside your scope`)
      }
      return rule
    },
    list: async () => (await rules.list()).filter(await isSeen()),
  }
}

/** Returns the alert states of the hosts in scope. */
export function scopeAlertStates(states: AlertStates, hosts: ScopedHosts): AlertStates {
  return {
    ...states,
    ofHost: async (hostId) => ((await hosts.find(hostId)) ? states.ofHost(hostId) : []),
  }
}

/** Returns the alert events of the hosts in scope. */
export function scopeAlertEvents(events: AlertEvents, hosts: ScopedHosts): AlertEvents {
  const visible = async () => new Set((await hosts.list()).map(({ id }) => id))
  return {
    ...events,
    list: async (query) => events.list({ ...query, hostIds: await visible() }),
    async since(at) {
      const ids = await visible()
      return (await events.since(at)).filter(({ subject }) => ids.has(subject.hostId))
    },
  }
}

/** Returns the metrics of the hosts in scope. */
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

/** Returns the history of the hosts in scope. */
export function scopeUsageHistory(history: UsageHistory, hosts: ScopedHosts): UsageHistory {
  return {
    ...history,
    async list(hostId, step, since) {
      await hosts.find(hostId)
      return history.list(hostId, step, since)
    },
  }
}
