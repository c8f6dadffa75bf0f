import type { UpdatePolicy } from '../records/update-policy.ts'
import type { UpdateStatus } from './judge-update.ts'
import { firstOpen } from './update-window.ts'

/** What happens next with the image of a service. Times are milliseconds since the epoch. */
export type NextUpdate =
  /** Nothing is newer, or that is not known. */
  | { kind: 'none' }
  /** A person has to take it; `reason` says why. */
  | { kind: 'by hand'; reason: string }
  /** It is taken then, if nothing changes. */
  | { kind: 'planned'; at: number }
  | { kind: 'due' }

/** What a decision rests on besides the policy. */
export interface UpdateEvidence {
  service: string
  status: UpdateStatus
  /** Digests that this stack may not take: they were bad. */
  heldBack: ReadonlySet<string>
  /** Why no update of the stack may run, such as a right that its account lost; null if it may. */
  blocked: string | null
  now: number
}

const hour = 3_600_000

/** Decides what happens next with the image of a service. */
export function decideUpdate(
  { mode, window, minimumAgeHours, except }: UpdatePolicy,
  { service, status, heldBack, blocked, now }: UpdateEvidence,
): NextUpdate {
  const { newer } = status
  if (!newer) return { kind: 'none' }
  if (mode !== 'apply') return { kind: 'by hand', reason: 'the policy applies no updates' }
  if (except.includes(service)) return { kind: 'by hand', reason: 'the policy leaves it out' }
  if (heldBack.has(newer.digest)) {
    return { kind: 'by hand', reason: 'this image was bad: it is held back until another appears' }
  }
  if (blocked !== null) return { kind: 'by hand', reason: blocked }
  // A time ahead was recorded by a clock that was: it is at least as old as now.
  const old = newer.seenAt + minimumAgeHours * hour
  const at = firstOpen(window, Math.max(old, now))
  if (at === null) return { kind: 'by hand', reason: 'the window of the policy never opens' }
  return at <= now ? { kind: 'due' } : { kind: 'planned', at }
}
