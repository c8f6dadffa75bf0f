/** A step of a plan or of a deployment. */
export interface AnyStep {
  action: string
  kind: string
  name: string
  reason: string
}

/** What a deploy does to one thing, in one word. */
export type Change =
  | 'create'
  | 'recreate'
  | 'remove'
  | 'restart'
  | 'start'
  | 'stop'
  | 'fetch'
  | 'write'
  | 'other'

export interface PlannedChange<S extends AnyStep = AnyStep> {
  kind: string
  /** The name that the thing has afterwards. */
  name: string
  change: Change
  /** Why, without the fields. */
  reason: string
  /** The fields of the service that changed: `image`, `ports`. */
  fields: readonly string[]
  steps: readonly S[]
}

/** A container that replaces another has a temporary name until that is gone. */
const finalName = ({ kind, name }: AnyStep): string =>
  kind === 'container' ? name.replace(/^[0-9a-f]{12}_/, '') : name

/** Returns the steps by the thing that they are about, in the order of their first steps. */
export function changesOf<S extends AnyStep>(steps: readonly S[]): PlannedChange<S>[] {
  const groups = new Map<string, S[]>()
  for (const step of steps) {
    const key = `${step.kind} ${finalName(step)}`
    const group = groups.get(key)
    if (group) group.push(step)
    else groups.set(key, [step])
  }
  return [...groups.values()].map(changeOf)
}

function changeOf<S extends AnyStep>(steps: S[]): PlannedChange<S> {
  const [first] = steps as [S, ...S[]]
  const change = wordFor(new Set(steps.map(({ action }) => action)))
  const main = steps.find(({ action }) => action === mainActions[change]) ?? first
  const [, reason = main.reason, fields] = /^(config changed): (.*)$/.exec(main.reason) ?? []
  return {
    kind: first.kind,
    name: finalName(first),
    change,
    reason,
    steps,
    fields: fields?.split(/, | and (?=\d+ more$)/) ?? [],
  }
}

/** The step that says why a change is made. */
const mainActions: Readonly<Partial<Record<Change, string>>> = {
  create: 'create',
  recreate: 'recreate',
  remove: 'remove',
  restart: 'stop',
  start: 'start',
  stop: 'stop',
}

function wordFor(actions: ReadonlySet<string>): Change {
  const has = (...words: string[]) => words.every((word) => actions.has(word))
  if (has('recreate') || has('create', 'remove')) return 'recreate'
  if (has('create')) return 'create'
  if (has('remove')) return 'remove'
  if (has('restart') || has('stop', 'start')) return 'restart'
  if (has('start')) return 'start'
  if (has('stop')) return 'stop'
  if (has('pull') || has('build') || has('tag')) return 'fetch'
  return has('write') ? 'write' : 'other'
}

/** A plan in its parts. */
export interface ReadPlan {
  warnings: readonly AnyStep[]
  /** The warnings that a deploy must accept by name. */
  references: readonly AnyStep[]
  /** Files and images that differ on the host. */
  drift: readonly AnyStep[]
  containers: readonly PlannedChange[]
  /** Files, images, networks and volumes. */
  others: readonly PlannedChange[]
}

/** A container that joins a network is part of the container's change. */
const isJoin = ({ kind, change }: Pick<PlannedChange, 'kind' | 'change'>) =>
  kind === 'network' && change === 'other'

/** Returns the parts of a plan as the API sends it. */
export function readPlan(steps: readonly AnyStep[]): ReadPlan {
  const isPart = ({ action }: AnyStep) => action === 'warning' || action === 'drift'
  const changes = changesOf(steps.filter((step) => !isPart(step)))
  const warnings = steps.filter(({ action }) => action === 'warning')
  return {
    warnings,
    references: warnings.filter(({ kind }) => kind === 'reference'),
    drift: steps.filter(({ action }) => action === 'drift'),
    containers: changes.filter(({ kind }) => kind === 'container'),
    others: changes.filter((one) => one.kind !== 'container' && !isJoin(one)),
  }
}

/** Returns how often each change is made, in the order of what matters most. */
export function countChanges(
  changes: readonly Pick<PlannedChange, 'change'>[],
): [Change, number][] {
  const order: Change[] = ['remove', 'recreate', 'create', 'restart', 'stop', 'start']
  return order
    .map((change): [Change, number] => [
      change,
      changes.filter((one) => one.change === change).length,
    ])
    .filter(([, count]) => count > 0)
}
