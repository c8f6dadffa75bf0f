import type { Permission } from '../../../functions/core/records/permissions.ts'

/**
 * What a caller reaches at most, from the least to the most:
 *
 * - `nothing`: only what `viewer` sees, and the caller's own account;
 * - `outage`: containers or the work of others stop or fail;
 * - `data`: secrets, files, volumes or records of others are read, changed or lost;
 * - `root`: control of a host;
 * - `admin`: control of the service.
 */
export const effects = ['nothing', 'outage', 'data', 'root', 'admin'] as const
export type Effect = (typeof effects)[number]

/** A way in which a caller uses a route, judged as by an attacker. */
export interface Way {
  /** The permissions that it needs besides that of the route. */
  with?: readonly Permission[]
  worst: Effect
  /** The reason: why it is not less, or for `nothing` why it is not more. */
  why: string
  /** The file of the check that keeps it from being worse. */
  guard?: string
  /** It has its effect only when another account does a part, such as the deploy. */
  isLater?: true
}

/** The judgement of a route: one way, or several that need different permissions. */
export type Judgement = Way | readonly [Way, ...Way[]]

const ofEffect =
  (worst: Effect) =>
  (why: string, guard?: string, more: Pick<Way, 'with' | 'isLater'> = {}): Way => ({
    worst,
    why,
    ...(guard === undefined ? {} : { guard }),
    ...more,
  })

export const nothing = ofEffect('nothing')
export const outage = ofEffect('outage')
export const data = ofEffect('data')
export const root = ofEffect('root')
export const admin = ofEffect('admin')

/** For a way that needs further permissions. */
export const having = (...permissions: Permission[]) => ({ with: permissions })

/** For a way that waits for another account. */
export const later = { isLater: true } as const
