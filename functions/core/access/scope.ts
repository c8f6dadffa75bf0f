import { matchesQuery } from '../audit/row.ts'
import { forbidden, notFound } from '../errors.ts'
import type { Needs, Ports } from '../ports/ports.ts'
import type { Account, Caller } from '../records/account.ts'
import type { Host } from '../records/host.ts'
import type { VariableSet } from '../records/variable-set.ts'
import type { Actor } from './actor.ts'
import {
  scopeAlertEvents,
  scopeAlertRules,
  scopeAlertStates,
  scopeMetricHistory,
  scopeUsageHistory,
} from './scope-alerts.ts'
import { scopeBackupJobs, scopeBackupRuns } from './scope-backups.ts'
import { scopeOperations } from './scope-operations.ts'

/** Returns whether an account reaches a host: it has no tags, or shares one with the host. */
export function inScope(scopeTags: readonly string[], host: Pick<Host, 'tags'>): boolean {
  return scopeTags.length === 0 || host.tags.some((tag) => scopeTags.includes(tag))
}

/**
 * Returns the same ports with a composer that queues questions per caller, so that no caller can
 * keep the others waiting.
 */
export function composeOnBehalfOf<P extends object>(ports: P, caller: Caller): P {
  const { composer } = ports as Partial<Needs<'composer'>>
  return composer ? { ...ports, composer: composer.onBehalfOf(caller.account.id) } : ports
}

/** An account, and the hosts that it is limited to. */
type Scoped = Pick<Actor, 'permissions' | 'scopeTags'> & { account: Pick<Account, 'id'> }

/** The caller and the hosts in scope, from which the limits of each port are made. */
interface Scope {
  caller: Scoped
  /** Only the hosts in scope: `find` throws a `Failure` 403 for others. */
  hosts: Ports['hosts']
  reaches(hostId: string): Promise<boolean>
  /** @throws 404 if there is no such host, 403 if it is out of scope */
  guard(hostId: string): Promise<void>
}

/**
 * How each port is limited to the hosts in scope. `null` means that the port is the same for every
 * caller: it has nothing of a host, or only under an id that a limited port gave first. A new port
 * does not compile until it has its line here.
 */
const limits: {
  readonly [Name in keyof Ports]: ((port: Ports[Name], scope: Scope) => Ports[Name]) | null
} = {
  // Limited to the hosts in scope.
  hosts: (_, { hosts }) => hosts,
  stacks: limitStacks,
  variableSets: limitVariableSets,
  engines: (engines, { guard }) => ({
    ...engines,
    async on(hostId) {
      await guard(hostId)
      return engines.on(hostId)
    },
  }),
  audit: limitAudit,
  backupJobs: (jobs, { hosts }) => scopeBackupJobs(jobs, hosts),
  backupRuns: (runs, { hosts }) => scopeBackupRuns(runs, hosts),
  operations: (operations, { hosts }) => scopeOperations(operations, hosts),
  alertRules: (rules, { hosts }) => scopeAlertRules(rules, hosts),
  alertStates: (states, { hosts }) => scopeAlertStates(states, hosts),
  alertEvents: (events, { hosts }) => scopeAlertEvents(events, hosts),
  metricHistory: (history, { hosts }) => scopeMetricHistory(history, hosts),
  usageHistory: (history, { hosts }) => scopeUsageHistory(history, hosts),

  // Found through a stack, a host or a job that was found first.
  deployments: null,
  texts: null,
  owners: null,
  oneOffs: null,
  uploads: null,
  backupTargets: null,
  hostConnections: null,
  hostGauges: null,
  agentPrograms: null,
  hostStops: null,
  hostWatches: null,
  imageLooks: null,
  prunePolicies: null,
  stackHooks: null,
  stackJobs: null,
  jobLogs: null,
  updatePolicies: null,
  enrolments: null,
  // Checks the scope of the caller that it is given for each event.
  serviceEvents: null,

  // About accounts. The permission decides here: only callers without a scope may change roles,
  // settings and the like.
  accounts: null,
  roles: null,
  secondFactors: null,
  passkeys: null,
  sessions: null,
  apiTokens: null,
  identityProviders: null,
  settings: null,
  registries: null,
  artifacts: null,
  // The things that it names are found through limited ports.
  estates: null,
  imageRegistry: null,
  sourceReader: null,
  sourceKeys: null,
  sources: null,
  sourceHooks: null,
  secrets: null,
  alertChannels: null,
  alertDeliveries: null,
  systemArchive: null,

  // About the service itself.
  clock: null,
  random: null,
  reminders: null,
  attempts: null,
  tickets: null,
  identities: null,
  passwords: null,
  accessTokens: null,
  browserSecrets: null,
  callerLimiter: null,
  signInSteps: null,
  idempotentRequests: null,
  openId: null,
  outbound: null,
  setup: null,
  authority: null,
  addresses: null,
  textMarks: null,
  expiredItems: null,
  retentionStates: null,
  alertSender: null,
  ownProcess: null,
  serviceProcesses: null,
  serviceUpgrades: null,
  selfCheck: null,
  leases: null,
  backupCodec: null,
  streams: null,
  composer: null,
  background: null,
  pages: null,
  site: null,
  log: null,
}

/**
 * Returns the same ports, showing only the hosts in the caller's scope and what is on them. What
 * exists outside of it answers 403, what does not exist 404; lists leave it out. Handlers are given
 * nothing else, so none can forget to filter.
 */
export function scopePorts<P extends object>(ports: P, caller: Scoped): P {
  const { hosts } = ports as Partial<Needs<'hosts'>>
  if (caller.scopeTags.length === 0 || !hosts) return ports
  const scope = scopeOf(hosts, caller)
  const limited = Object.entries(ports).map(([name, port]) => {
    const limit = limits[name as keyof Ports] as ((port: unknown, scope: Scope) => unknown) | null
    return [name, limit ? limit(port, scope) : port]
  })
  return Object.fromEntries(limited)
}

function scopeOf(hosts: Ports['hosts'], caller: Scoped): Scope {
  const reaches = async (hostId: string) => {
    const host = await hosts.find(hostId)
    return host !== undefined && inScope(caller.scopeTags, host)
  }
  return {
    caller,
    reaches,
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
    async guard(hostId) {
      if (!(await hosts.find(hostId))) throw notFound(`host ${hostId}: there is no such host`)
      if (!(await reaches(hostId))) throw forbidden(`host ${hostId}: outside your scope`)
    },
  }
}

function limitStacks(stacks: Ports['stacks'], { hosts, reaches }: Scope): Ports['stacks'] {
  return {
    ...stacks,
    async find(id) {
      const stack = await stacks.find(id)
      if (stack && !(await reaches(stack.hostId))) {
        throw forbidden(`stack ${id}: on a host outside your scope`)
      }
      return stack
    },
    async list() {
      const visible = new Set((await hosts.list()).map((host) => host.id))
      return (await stacks.list()).filter((stack) => visible.has(stack.hostId))
    },
  }
}

/** Shows the sets that stacks in scope may take. */
function limitVariableSets(sets: Ports['variableSets'], { hosts }: Scope): Ports['variableSets'] {
  const reaching = async () => {
    const own = await hosts.list()
    return ({ tags }: Pick<VariableSet, 'tags'>) => own.some((host) => inScope(tags, host))
  }
  return {
    ...sets,
    async find(id) {
      const set = await sets.find(id)
      if (set && !(await reaching())(set)) {
        throw forbidden(`variables ${id}: for hosts outside your scope`)
      }
      return set
    },
    list: async () => (await sets.list()).filter(await reaching()),
  }
}

function limitAudit(audit: Ports['audit'], { caller, hosts }: Scope): Ports['audit'] {
  return {
    ...audit,
    async list(query) {
      const visible = (await hosts.list()).map((host) => host.id)
      return audit.list({ ...query, within: { hosts: visible, userId: caller.account.id } })
    },
    async after(seq) {
      const visible = (await hosts.list()).map((host) => host.id)
      const { rows, end } = await audit.after(seq)
      const within = { hosts: visible, userId: caller.account.id }
      const query = { limit: rows.length, within }
      return { rows: rows.filter((row) => matchesQuery(row, query)), end }
    },
  }
}
