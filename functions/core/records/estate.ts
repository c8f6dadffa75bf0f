/** The sections of a file. */
export const estateSections = [
  'registries',
  'roles',
  'channels',
  'sources',
  'stacks',
  'backup_jobs',
  'update_policies',
  'alert_rules',
] as const
export type FileSection = (typeof estateSections)[number]

/**
 * The sections of steps, in the order in which their things can be made. The update policy of a
 * stack can name a backup job, which can name the stack: so it is a step of its own.
 */
export const stepSections = [
  'registries',
  'roles',
  'channels',
  'sources',
  'stacks',
  'backup_jobs',
  'stack_policies',
  'update_policies',
  'alert_rules',
] as const
export type EstateSection = (typeof stepSections)[number]

/**
 * What applying a file does with a thing. `unknown`: the caller may not see what is there.
 * `delete`: an earlier file declared it, and this one does not.
 */
export const estateActions = ['create', 'change', 'nothing', 'unknown', 'delete'] as const
export type EstateAction = (typeof estateActions)[number]

/** Names a thing. */
export interface EstateKey {
  section: EstateSection
  name: string
}

/** Returns the same text for all ways to write the name of a thing. */
export const keyOf = ({ section, name }: EstateKey): string =>
  `${section}/${inAnyCase.has(section) ? name.toLowerCase() : name}`

/** Sections whose names are unique in any case. */
const inAnyCase: ReadonlySet<EstateSection> = new Set<EstateSection>([
  'channels',
  'backup_jobs',
  'alert_rules',
])

/** How a step of an apply ended. */
export const stepStates = ['done', 'unchanged', 'failed', 'skipped'] as const
export type StepState = (typeof stepStates)[number]

/**
 * A thing that an apply made, or found as the file declares it. Only such things are pruned. Times
 * are milliseconds since the epoch.
 */
export interface EstateThing extends EstateKey {
  /** When the thing was made: one that was deleted and made again has another time. */
  createdAt: number
  /** When an apply made or took it. */
  at: number
  /** Name of the user who did that. */
  by: string
}

export interface EstateApplyStep extends EstateKey {
  action: EstateAction
  /** `waiting`: its turn has not come, or its end was not written. */
  state: StepState | 'waiting'
  problems: string[]
}

/** One request that applied a file. Times are milliseconds since the epoch. */
export interface EstateApply {
  /** Names the request in the holder of its lease. */
  id: string
  accountId: string
  /** Name of the user. */
  by: string
  prune: boolean
  startedAt: number
  /** Null until it ended. It stays null if its process was killed. */
  finishedAt: number | null
  steps: EstateApplyStep[]
}

/** What the service keeps of the files with one name. It has no secrets. */
export interface EstateRecord {
  /** Name of the estate. */
  id: string
  /** In the order in which they were made or taken. */
  things: EstateThing[]
  /** The newest apply. */
  last: EstateApply
}

/** The most estates that can exist. */
export const estatesMax = 100
