import type { Client } from '../api/client.ts'
import { CliFailure } from '../failure.ts'
import { itemsOf } from '../resolve/host-list.ts'

/** What narrows the names to complete. */
export interface NameOptions {
  /** The value of `--host`. */
  host: string | undefined
  /** The first argument, which names the stack of services. */
  stack: string | undefined
}

/** Returns the names of one kind, or none if the service cannot be reached. */
export type Names = (kind: Kind, options: NameOptions) => Promise<readonly string[]>

export type Kind = keyof typeof kinds | 'contexts'

type Find = (service: Client, options: NameOptions) => Promise<readonly string[]>

/** Finds the names of each kind. Each call times out after 2 s, because the shell waits for it. */
export const kinds = {
  stacks: async (service) => namesOf((await service.get('/stacks', shortTimeout)).value),
  services: async (service, { stack = '' }) => {
    const path = { name: stack }
    const { value } = await service.get('/stacks/{name}/status', { path, ...shortTimeout })
    return value.map(({ service }) => service)
  },
  deployments: async (service, { stack = '' }) => {
    const path = { name: stack }
    const { value } = await service.get('/stacks/{name}/deployments', { path, ...shortTimeout })
    return value.map(({ id }) => id)
  },
  stackJobs: async (service, { stack = '' }) =>
    (await jobsOf(service, stack)).map(({ job }) => job),
  /** The last run of each job of a stack. */
  jobRuns: async (service, { stack = '' }) =>
    (await jobsOf(service, stack)).flatMap(({ last_run: last }) => (last ? [last.id] : [])),
  containers: async (service, { host }) =>
    namesOf(
      itemsOf((await service.get('/containers', { query: { host }, ...shortTimeout })).value),
    ),
  images: async (service, { host }) => {
    const { value } = await service.get('/images', { query: { host }, ...shortTimeout })
    return itemsOf(value).flatMap(({ tags }) => tags)
  },
  volumes: async (service, { host }) =>
    namesOf(itemsOf((await service.get('/volumes', { query: { host }, ...shortTimeout })).value)),
  hosts: async (service) => namesOf((await service.get('/hosts', shortTimeout)).value),
  tokens: async (service) => namesOf((await service.get('/api-tokens', shortTimeout)).value),
  passkeys: async (service) => namesOf((await service.get('/me/passkeys', shortTimeout)).value),
  users: async (service) =>
    (await service.get('/users', shortTimeout)).value.map(({ username }) => username),
  roles: async (service) => namesOf((await service.get('/roles', shortTimeout)).value),
  registries: async (service) =>
    (await service.get('/registries', shortTimeout)).value.map(({ address }) => address),
  sets: async (service) => namesOf((await service.get('/variables', shortTimeout)).value),
  sources: async (service) => namesOf((await service.get('/sources', shortTimeout)).value),
  jobs: async (service) => namesOf((await service.get('/backup-jobs', shortTimeout)).value),
  runs: async (service) =>
    (await service.get('/backup-runs', shortTimeout)).value.map(({ id }) => id),
  operations: async (service) =>
    (await service.get('/operations', shortTimeout)).value.map(({ id }) => id),
  channels: async (service) => namesOf((await service.get('/alert-channels', shortTimeout)).value),
  rules: async (service) => namesOf((await service.get('/alert-rules', shortTimeout)).value),
  sessions: async (service) =>
    (await service.get('/me/sessions', shortTimeout)).value.map(({ id }) => id),
  providers: async (service) =>
    (await service.get('/oidc-providers', shortTimeout)).value.map(({ id }) => id),
  deliveries: async (service) =>
    (
      await service.get('/alert-deliveries', { query: { state: 'dead' }, ...shortTimeout })
    ).value.map(({ id }) => id),
  networks: async (service, { host }) =>
    namesOf(itemsOf((await service.get('/networks', { query: { host }, ...shortTimeout })).value)),
  settings: async (service) => Object.keys((await service.get('/settings', shortTimeout)).value),
  policies: async (service) =>
    (await service.get('/update-policies', shortTimeout)).value.map(({ of }) => of),
  keys: async (service) =>
    (await service.get('/secret-keys', shortTimeout)).value.map(({ id }) => id),
} satisfies Record<string, Find>

const shortTimeout = { timeout: 2000 }

const jobsOf = async (service: Client, name: string) =>
  (await service.get('/stacks/{name}/jobs', { path: { name }, ...shortTimeout })).value

/** Returns a lookup of the names that the service has now. */
export const currentNames =
  (client: () => Promise<Client>): Names =>
  async (kind, options) => {
    if (kind === 'contexts') return []
    try {
      return await kinds[kind](await client(), options)
    } catch (error) {
      if (error instanceof CliFailure) return []
      throw error
    }
  }

const namesOf = (things: readonly { name: string }[]) => things.map(({ name }) => name)

/** Commands whose arguments are new names. */
const commandsWithNewNames = new Set([
  ...['stacks create', 'hosts enrol', 'images pull', 'backups create', 'tokens create'],
  ...['users create', 'roles create', 'registries create', 'providers create'],
  ...['alerts rules create', 'alerts channels create', 'sources create'],
])

/** The kind of each argument, by the first word of the command. */
const byArgument: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  stacks: {
    name: 'stacks',
    names: 'stacks',
    stack: 'stacks',
    service: 'services',
    services: 'services',
    deployment: 'deployments',
    job: 'stackJobs',
    run: 'jobRuns',
  },
  containers: { container: 'containers', containers: 'containers' },
  images: { image: 'images' },
  hosts: { host: 'hosts', hosts: 'hosts' },
  mfa: { passkey: 'passkeys' },
  tokens: { token: 'tokens' },
  users: { username: 'users' },
  roles: { name: 'roles' },
  registries: { address: 'registries' },
  sources: { name: 'sources' },
  variables: { name: 'sets' },
  backups: { job: 'jobs', run: 'runs' },
  operations: { operation: 'operations' },
  alerts: { channel: 'channels', rule: 'rules', delivery: 'deliveries' },
  networks: { network: 'networks' },
  volumes: { volume: 'volumes' },
  sessions: { session: 'sessions' },
  updates: { stack: 'stacks', services: 'services' },
  open: { stack: 'stacks' },
  providers: { provider: 'providers' },
  settings: { key: 'settings' },
  'update-policies': { policy: 'policies' },
  keys: { id: 'keys' },
  contexts: { name: 'contexts' },
}

/** The kind of each flag's value. */
const byFlag: Readonly<Record<string, Kind>> = {
  '--host': 'hosts',
  '--stack': 'stacks',
  '--except': 'services',
  '--volume': 'volumes',
  '--role': 'roles',
  '--context': 'contexts',
  '--channel': 'channels',
  '--shared': 'sets',
}

/** Returns the kind of names that a flag or an argument takes, or undefined. */
export function kindAt(place: { flag: string } | { command: string; argument: string }) {
  if ('flag' in place) return byFlag[place.flag]
  const { command, argument } = place
  const [group = ''] = command.split(' ')
  return commandsWithNewNames.has(command) ? undefined : byArgument[group]?.[argument]
}

/**
 * Returns whether a shell takes the name literally. Other users choose names, so a completion never
 * inserts one that a shell could execute.
 */
export const isPlain = (name: string): boolean => /^[\w.:@/+][\w.:@/+-]*$/.test(name)
