import { isAsked } from '../audit/row.ts'
import { forbidden, notFound } from '../errors.ts'
import type { Host } from '../hosts/ports.ts'
import type { Needs } from '../ports.ts'
import type { Caller } from './account.ts'
import {
  scopeAlertEvents,
  scopeAlertRules,
  scopeAlertStates,
  scopeMetricHistory,
} from './scope-alerts.ts'
import { scopeBackupJobs, scopeBackupRuns } from './scope-backups.ts'

/** Returns whether a host is in scope: it has at least one of the tags, or there are none. */
export function inScope(scopeTags: readonly string[], host: Pick<Host, 'tags'>): boolean {
  return scopeTags.length === 0 || host.tags.some((tag) => scopeTags.includes(tag))
}

type Scoped = Partial<
  Needs<
    | 'hosts'
    | 'stacks'
    | 'engines'
    | 'audit'
    | 'backupJobs'
    | 'backupRuns'
    | 'alertRules'
    | 'alertStates'
    | 'alertEvents'
    | 'metricHistory'
  >
>

/**
 * Returns the same ports with a composer that queues questions per caller, so that no caller can
 * keep the others waiting.
 */
export function composeOnBehalfOf<P extends object>(ports: P, caller: Caller): P {
  const { composer } = ports as Partial<Needs<'composer'>>
  return composer ? { ...ports, composer: composer.onBehalfOf(caller.account.id) } : ports
}

/**
 * Returns the same ports, limited to the hosts in the caller's scope and what is on them. Outside
 * the scope, a read of one item throws 403 and lists leave it out; an item that does not exist
 * gives 404. Handlers get only these ports, so no handler can forget the check.
 */
export function scopePorts<P extends object>(ports: P, caller: Caller): P {
  if (caller.scopeTags.length === 0) return ports
  const { hosts, stacks, engines, audit, backupJobs, backupRuns } = ports as Scoped
  const { alertRules, alertStates, alertEvents, metricHistory } = ports as Scoped
  if (!hosts) return ports
  const reaches = async (hostId: string) => {
    const host = await hosts.find(hostId)
    return host !== undefined && inScope(caller.scopeTags, host)
  }
  const guard = async (hostId: string) => {
    if (!(await hosts.find(hostId))) throw notFound(`host ${hostId}: there is no such host`)
    if (!(await reaches(hostId))) throw forbidden(`host ${hostId}: outside your scope`)
  }
  const scoped: Scoped = {
    hosts: {
      ...hosts,
      async find(id) {
        const host = await hosts.find(id)
        if (host && !inScope(caller.scopeTags, host)) {
          throw forbidden(`host ${id}: outside your scope`)
        }
        return host
      },
      list: async () => (await hosts.list()).filter((host) => inScope(caller.scopeTags, host)),
    },
  }
  if (stacks) {
    scoped.stacks = {
      ...stacks,
      async find(id) {
        const stack = await stacks.find(id)
        if (stack && !(await reaches(stack.hostId))) {
          throw forbidden(`stack ${id}: on a host outside your scope`)
        }
        return stack
      },
      async list() {
        const visible = new Set((await scoped.hosts!.list()).map((host) => host.id))
        return (await stacks.list()).filter((stack) => visible.has(stack.hostId))
      },
    }
  }
  if (engines) {
    scoped.engines = {
      ...engines,
      async on(hostId) {
        await guard(hostId)
        return engines.on(hostId)
      },
    }
  }
  if (backupJobs) scoped.backupJobs = scopeBackupJobs(backupJobs, scoped.hosts!)
  if (backupRuns) scoped.backupRuns = scopeBackupRuns(backupRuns, scoped.hosts!)
  if (alertRules) scoped.alertRules = scopeAlertRules(alertRules, scoped.hosts!)
  if (alertStates) scoped.alertStates = scopeAlertStates(alertStates, scoped.hosts!)
  if (alertEvents) scoped.alertEvents = scopeAlertEvents(alertEvents, scoped.hosts!)
  if (metricHistory) scoped.metricHistory = scopeMetricHistory(metricHistory, scoped.hosts!)
  if (audit) {
    scoped.audit = {
      ...audit,
      async list(query) {
        const visible = (await scoped.hosts!.list()).map((host) => host.id)
        return audit.list({ ...query, within: { hosts: visible, userId: caller.account.id } })
      },
      async after(seq) {
        const hosts = (await scoped.hosts!.list()).map((host) => host.id)
        const { rows, end } = await audit.after(seq)
        const query = { limit: rows.length, within: { hosts, userId: caller.account.id } }
        return { rows: rows.filter((row) => isAsked(row, query)), end }
      },
    }
  }
  return { ...ports, ...scoped }
}
