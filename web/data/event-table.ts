import type { HostId } from '../host-ids.ts'

/** An event of `/ws/events`. */
export interface ServiceEvent {
  id: string
  kind: string
  host_id: HostId | null
  subject: { kind: string; id: string; name: string | null } | null
  details: Readonly<Record<string, string | number | boolean | null>>
}

/** An entry of the cache. */
export interface Cached {
  path: string
  params: Readonly<Record<string, unknown>>
}

/** The paths that an event makes outdated, and the parameters that limit it to one subject. */
interface Effect {
  paths: readonly string[]
  /** Returns the value of a path parameter that the entry must have, by its name. */
  only?: (event: ServiceEvent) => Readonly<Record<string, string | undefined>>
  /** The kinds of events that have the effect, if not all of them have. */
  kinds?: RegExp
}

const stackOf = ({ subject, details }: ServiceEvent) =>
  subject?.kind === 'stack' ? subject.id : textOf(details.stack)
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Paths below a stack: only those of the stack that the event is about. */
const ofStack = { only: (event: ServiceEvent) => ({ name: stackOf(event) }) }
const ofSubject = { only: ({ subject }: ServiceEvent) => ({ id: subject?.id }) }

/** Events of a stack that can change what is newer, or what happens with it. */
const updating = /\.(ended|delete|forget)$|\.update-policy\./

const containers: readonly Effect[] = [
  { paths: ['/containers', '/stacks', '/compose-projects', '/hosts'] },
  { paths: ['/containers/{id}'], ...ofSubject },
  { paths: ['/stacks/{name}', '/stacks/{name}/status'], ...ofStack },
]
const stacks: readonly Effect[] = [
  { paths: ['/stacks', '/compose-projects'] },
  {
    paths: [
      ...['/stacks/{name}', '/stacks/{name}/status', '/stacks/{name}/config'],
      '/stacks/{name}/source',
      ...['/stacks/{name}/files', '/stacks/{name}/file', '/stacks/{name}/diff'],
      ...['/stacks/{name}/deployments', '/stacks/{name}/deployments/{id}'],
    ],
    ...ofStack,
  },
  {
    paths: ['/stacks/{name}/jobs', '/stacks/{name}/jobs/{job}/runs'],
    ...ofStack,
    kinds: /\.jobs(\.|$)/,
  },
  // What its containers run, not each step towards it, and what is decided about it.
  { paths: ['/updates'], kinds: updating },
  {
    paths: ['/stacks/{name}/update-policy', '/stacks/{name}/held-back-images'],
    ...ofStack,
    kinds: updating,
  },
]

/** The effects of events by the first word of their kind. */
const effects: Readonly<Record<string, readonly Effect[]>> = {
  container: containers,
  stack: stacks,
  image: [
    { paths: ['/images', '/hosts/{id}/prune-policy/preview'] },
    { paths: ['/updates'], kinds: /\.outdated$/ },
    { paths: ['/hosts/{id}/prune-policy'], ...ofSubject, kinds: /\.prune\./ },
  ],
  network: [{ paths: ['/networks'] }],
  volume: [{ paths: ['/volumes'] }],
  host: [
    { paths: ['/hosts', '/hosts/{id}', '/stacks', '/containers', '/updates'] },
    {
      paths: ['/hosts/{id}/prune-policy', '/hosts/{id}/prune-policy/preview'],
      ...ofSubject,
      kinds: /\.prune-policy\./,
    },
  ],
  agent: [{ paths: ['/hosts', '/hosts/{id}'] }],
  alert: [{ paths: ['/alerts', '/alert-events', '/alert-rules', '/alert-rules/{id}'] }],
  'alert-rule': [{ paths: ['/alert-rules', '/alert-rules/{id}', '/alerts'] }],
  'alert-channel': [{ paths: ['/alert-channels'] }],
  'alert-delivery': [{ paths: ['/alert-deliveries'] }],
  backup: [{ paths: ['/backup-runs', '/backup-runs/{id}', '/backup-jobs', '/backup-jobs/{id}'] }],
  restore: [{ paths: ['/backup-runs', '/backup-runs/{id}', '/stacks', '/volumes'] }],
  'backup-job': [{ paths: ['/backup-jobs', '/backup-jobs/{id}'] }],
  'backup-run': [{ paths: ['/backup-runs', '/backup-runs/{id}', '/backup-jobs'] }],
  registry: [{ paths: ['/registries'] }],
  source: [{ paths: ['/sources'] }],
  variable: [{ paths: ['/variables', '/stacks', '/stacks/{name}'] }],
  user: [{ paths: ['/users', '/users/{id}', '/me', '/api-tokens'] }],
  role: [{ paths: ['/roles', '/me'] }],
  me: [{ paths: ['/me', '/me/sessions', '/api-tokens', '/users', '/users/{id}'] }],
  auth: [{ paths: ['/me/sessions'] }],
  'api-token': [{ paths: ['/api-tokens'] }],
  'oidc-provider': [{ paths: ['/oidc-providers'] }],
  settings: [{ paths: ['/settings', '/updates'] }],
  'update-policy': [{ paths: ['/update-policies', '/stacks/{name}/update-policy', '/updates'] }],
  'secret-key': [{ paths: ['/secret-keys'] }],
}

/** Returns whether an event may have changed the content of a cache entry. */
export function isOutdatedBy(event: ServiceEvent, { path, params }: Cached): boolean {
  const [subject = ''] = event.kind.split('.')
  return (effects[subject] ?? []).some(({ paths, only, kinds }) => {
    if (!paths.includes(path) || kinds?.test(event.kind) === false) return false
    return Object.entries(only?.(event) ?? {}).every(
      ([name, value]) => value === undefined || params[name] === value,
    )
  })
}

/** All paths of the table. A test checks that each of them exists. */
export const pathsOfEvents: readonly string[] = [
  ...new Set(Object.values(effects).flatMap((list) => list.flatMap(({ paths }) => paths))),
]
