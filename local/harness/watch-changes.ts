import type { Engine } from '../../functions/core/ports/engine.ts'
import type { Ports } from '../../functions/core/ports/ports.ts'

const collection = ['find', 'list'] as const

/**
 * The methods of each port that change nothing. Every other method of it is a change. `null` is a
 * port without records. A new port does not compile until it has its line here.
 */
const reads: { readonly [Name in keyof Ports]: readonly (keyof Ports[Name])[] | null } = {
  accounts: [...collection, 'findByUsername', 'findByIdentity', 'any'],
  roles: collection,
  secondFactors: collection,
  passkeys: collection,
  identityProviders: collection,
  registries: collection,
  hosts: collection,
  stacks: collection,
  alertChannels: collection,
  alertRules: collection,
  hostStops: collection,
  oneOffs: collection,
  hostWatches: collection,
  serviceProcesses: collection,
  retentionStates: collection,
  imageLooks: collection,
  prunePolicies: collection,
  stackHooks: collection,
  stackJobs: collection,
  jobLogs: collection,
  sources: collection,
  sourceHooks: collection,
  variableSets: collection,
  updatePolicies: collection,
  estates: collection,
  backupJobs: collection,
  attempts: ['read'],
  sessions: ['find', 'listByAccount'],
  // Every accepted request records when its token was used.
  apiTokens: ['find', 'findByHash', 'list', 'touch', 'recordRights'],
  // A ticket is the credential of a feed, used up before its permission is known.
  tickets: ['use'],
  setup: ['open', 'matches'],
  settings: ['get', 'fresh', 'areListsFilled'],
  hostConnections: collection,
  enrolments: [],
  deployments: [
    'find',
    'listByStack',
    'listRunning',
    'listUnaudited',
    'listIds',
    'findCancelRequest',
  ],
  texts: ['get', 'getBytes', 'digestOf'],
  textMarks: ['list'],
  operations: ['find', 'list', 'listOpen', 'findCancelRequest'],
  uploads: ['find', 'listByAccount', 'received', 'readPart'],
  owners: collection,
  alertDeliveries: ['due', 'find', 'list', 'last'],
  alertSender: [],
  artifacts: [],
  alertStates: ['ofHost'],
  alertEvents: ['list', 'since'],
  metricHistory: ['ofHost', 'ofContainer', 'latest', 'lastAt'],
  usageHistory: ['list'],
  backupRuns: ['find', 'list', 'listUnfinished'],
  backupTargets: ['open', 'location'],
  secrets: ['keys', 'count', 'onlyKey'],
  signInSteps: ['seal', 'open'],
  idempotentRequests: ['find'],
  expiredItems: ['scanPage'],
  authority: ['certificate', 'fingerprint'],
  // The audit log records attempts, and tests look at its rows.
  audit: null,
  // What an Engine does is watched instead.
  engines: null,
  // A request that is refused may have held one.
  leases: null,
  clock: null,
  random: null,
  reminders: null,
  identities: null,
  passwords: null,
  accessTokens: null,
  browserSecrets: null,
  callerLimiter: null,
  openId: null,
  imageRegistry: null,
  sourceReader: null,
  sourceKeys: null,
  outbound: null,
  addresses: null,
  hostGauges: null,
  agentPrograms: [],
  serviceUpgrades: ['last'],
  ownProcess: null,
  selfCheck: null,
  backupCodec: null,
  systemArchive: null,
  serviceEvents: null,
  streams: null,
  composer: null,
  background: null,
  pages: null,
  site: null,
  log: null,
}

/** The methods of an Engine that change nothing on its host. */
const engineReads: readonly (keyof Engine)[] = [
  'info',
  'apiVersion',
  'observe',
  'projectContainers',
  'runs',
  'resolve',
  'containers',
  'container',
  'installation',
  'access',
  'inspection',
  'processes',
  'statInContainer',
  'readFromContainer',
  'logs',
  'followLogs',
  'sample',
  'stats',
  'events',
  'pastEvents',
  'stops',
  'restarted',
  'uptime',
  'images',
  'networks',
  'aliasesIn',
  'volumes',
  'volumeSizes',
  'readFiles',
  'examineFiles',
  'findLinks',
  'findPaths',
  'isRealDirectory',
  'checkDirectory',
  'findSockets',
  'readArchive',
]

/**
 * Returns the same ports, and a list to which every call is added that changes a record or a host,
 * as `stacks.replace` or `engine.execute`. One that finds nothing to change, which returns false or
 * fails with 404, is none.
 */
export function watchChanges<P extends Partial<Ports>>(ports: P) {
  const changes: string[] = []
  const watched = Object.entries(ports).map(([name, port]) => {
    const known = reads[name as keyof Ports]
    return [name, known ? watch(port as object, { name, reads: known, changes }) : port]
  })
  const { engines } = ports
  const seen = new Map<Engine, Engine>()
  const on = async (hostId: string) => {
    const engine = await (engines as Ports['engines']).on(hostId)
    const given = seen.get(engine) ?? watch(engine, { name: 'engine', reads: engineReads, changes })
    seen.set(engine, given)
    return given
  }
  const more = engines ? { engines: { ...engines, on } } : {}
  return { ports: { ...Object.fromEntries(watched), ...more } as P, changes }
}

interface Watched {
  name: string
  reads: readonly PropertyKey[]
  changes: string[]
}

function watch<T extends object>(port: T, { name, reads, changes }: Watched): T {
  return new Proxy(port, {
    get(target, key) {
      const value = Reflect.get(target, key)
      if (typeof value !== 'function' || reads.includes(key)) return value
      return (...given: unknown[]) => {
        const note = () => changes.push(`${name}.${String(key)}`)
        const done = value.apply(target, given)
        void Promise.resolve(done).then(
          (result) => result !== false && note(),
          (error) => error.status !== 404 && note(),
        )
        return done
      }
    },
  })
}
