import type { ActsAs } from './acts-as.ts'

/** `notify` tells of newer images, `apply` also takes them. */
export const updateModes = ['off', 'notify', 'apply'] as const
export type UpdateMode = (typeof updateModes)[number]

/** When updates may begin: from each time of the schedule on, for so long. */
export interface UpdateWindow {
  /** Cron expression of five fields. */
  schedule: string
  /** IANA name of the time zone of the schedule. */
  timezone: string
  durationMinutes: number
}

/** What happens with newer images of a stack. */
export interface UpdatePolicy {
  mode: UpdateMode
  /** Null: at any time. */
  window: UpdateWindow | null
  /** Hours from when this service first saw a digest until it is taken. */
  minimumAgeHours: number
  /** Services that only a person updates. */
  except: string[]
  /** The ID of the backup job that runs before each update. Missing or null means none. */
  checkpoint?: string | null
  /** Minutes for which updates are watched. Missing: as long as the health checks need. */
  watchMinutes?: number
  /** Stacks of the same host that are updated first. Missing means none. */
  after?: string[]
  /** Whose rights its updates have. Missing unless the mode is `apply`. */
  actsAs?: ActsAs
  /** When the stack got it. Milliseconds since the epoch. Missing in those of earlier versions. */
  createdAt?: number
}

/** What happens with newer images of stacks that have no policy of their own. */
export interface InheritedPolicy
  extends Pick<UpdatePolicy, 'mode' | 'window' | 'minimumAgeHours' | 'watchMinutes' | 'actsAs'> {
  /** `default` for all stacks, or `tag:` and a tag of hosts. */
  id: string
  /** Milliseconds since the epoch. */
  createdAt: number
}
