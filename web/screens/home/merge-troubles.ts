import type { components } from '../../data/api.types.ts'
import type { HostName } from '../../host-ids.ts'
import type { StateName } from '../../parts/state.tsx'

type Container = components['schemas']['Container']
type Stack = components['schemas']['Stack']

/** Something that is wrong now. */
export interface Trouble {
  key: string
  state: StateName
  /** What it is about, with its page. */
  subject: string
  href: string
  what: string
  /** The cause in the words of the service or of the Engine. */
  why?: string | undefined
  host: HostName
  since: string | null
}

/** A trouble, and the container or the stack whose state it is about. */
export interface Found extends Trouble {
  container?: string
  stack?: Stack
}

/**
 * Returns one line for each container, and one for each stack with all of its containers that are
 * wrong: what has one cause is listed once. The state of a stack is a line only if none of its
 * containers explains it.
 */
export function mergeTroubles(
  found: readonly Found[],
  containers: readonly Container[],
  stacks: readonly Stack[],
): Trouble[] {
  const byId = new Map(containers.map((one) => [one.id, one]))
  // A project of another tool may have the name of a stack of another host.
  const known = new Set(stacks.map(({ host, name }) => `${host}/${name}`))
  const stackOf = (container: string | undefined): string | undefined => {
    const { host_id, stack } = byId.get(container ?? '') ?? {}
    return stack && known.has(`${host_id}/${stack}`) ? stack : undefined
  }
  const groups = new Map<string, Found[]>()
  for (const one of found) {
    const stack = one.stack?.name ?? stackOf(one.container)
    const key = stack ? `stack ${stack}` : one.container ? `container ${one.container}` : one.key
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()].map((group) => merged(group, byId, stackOf))
}

function merged(
  group: readonly Found[],
  byId: ReadonlyMap<string, Container>,
  stackOf: (container: string | undefined) => string | undefined,
): Trouble {
  const causes = group.filter(({ container }) => container !== undefined)
  const [first] = causes.length > 0 ? causes : group
  if (!first) throw new Error('a line has at least one trouble')
  const { container, stack: _, ...line } = first
  if (container === undefined) return line
  const stack = stackOf(container)
  const whys = causes.flatMap((one) => one.why ?? byId.get(one.container ?? '')?.status ?? [])
  return {
    ...line,
    ...(stack && { subject: stack, href: `/stacks/${encodeURIComponent(stack)}` }),
    state: group.some(({ state }) => state === 'failed') ? 'failed' : 'attention',
    what: wordsOf(causes, byId, stack !== undefined),
    why: [...new Set(whys)].join(', ') || undefined,
    since: causes.flatMap((one) => one.since ?? []).sort()[0] ?? null,
  }
}

/** Returns what is wrong with each container: "db: Unhealthy · web: Not running, Exit code 1". */
function wordsOf(
  causes: readonly Found[],
  byId: ReadonlyMap<string, Container>,
  isNamed: boolean,
): string {
  const words = new Map<string, Set<string>>()
  for (const { container = '', subject, what } of causes) {
    const name = byId.get(container)?.service ?? subject
    words.set(name, (words.get(name) ?? new Set()).add(what))
  }
  return [...words]
    .map(([name, all]) => (isNamed ? `${name}: ` : '') + [...all].join(', '))
    .join(' · ')
}
