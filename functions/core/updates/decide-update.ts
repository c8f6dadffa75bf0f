import type { ServiceVerb } from '../records/stack-state.ts'
import type { UpdatePolicy } from '../records/update-policy.ts'
import type { NewerImage, UpdateStatus } from './judge-update.ts'
import { firstOpen } from './update-window.ts'

export const nextKinds = ['none', 'by_hand', 'planned', 'due', 'watched'] as const

/** What happens next with the image of a service. Times are milliseconds since the epoch. */
export type NextUpdate =
  /** Nothing is newer, or that is not known. */
  | { kind: 'none' }
  /** The policy does not apply it; `reason` says why, and what to do. */
  | { kind: 'by_hand'; reason: string }
  /** It is applied then, if nothing changes. */
  | { kind: 'planned'; at: number }
  /** It is applied as soon as the host is free, and what `reason` names is over. */
  | { kind: 'due'; reason: string | null }
  /** An update applied it, and is watched. */
  | { kind: 'watched' }

/** What a decision rests on besides the policy. */
export interface UpdateEvidence {
  service: string
  status: UpdateStatus
  /** Digests that updates of this stack may not apply: they were bad. */
  heldBack: ReadonlySet<string>
  /** Why no update of the stack may run, such as a right that its account lost; null if it may. */
  blocked: string | null
  stack: StackEvidence
  /** What a user last did to the service. */
  verb: ServiceVerb['verb'] | undefined
  /** A container of it runs, or it is a job that ended with 0. */
  isUp: boolean
  /** The registry still has the newer image, by a look that was not too long ago. */
  isConfirmed: boolean
  /** An update changed it, and is not judged yet. */
  isWatched: boolean
  now: number
}

/** What is known of a stack as a whole. */
export interface StackEvidence {
  /** It was neither stopped nor taken down. */
  isUp: boolean
  /** The last deployment of the whole stack failed. */
  hasFailed: boolean
  /** The last operation was a rollback, which an update would undo. */
  isRolledBack: boolean
  /** Its newest files are those of the last deploy, so that a deploy brings nothing else. */
  isDeployed: boolean
  /** No update begins before, because the last one failed. Milliseconds since the epoch. */
  notBefore: number
}

const hour = 3_600_000

/** Decides what happens next with the image of a service. */
export function decideUpdate(policy: UpdatePolicy, evidence: UpdateEvidence): NextUpdate {
  const { window, minimumAgeHours } = policy
  const { status, now } = evidence
  const { newer } = status
  if (evidence.isWatched) return { kind: 'watched' }
  if (!newer) return { kind: 'none' }
  const reason = whyByHand(policy, newer, evidence)
  if (reason !== undefined) return { kind: 'by_hand', reason }
  // A clock that was ahead recorded a later time: the image then waits longer, which is safe.
  const old = newer.seenAt + minimumAgeHours * hour
  const at = firstOpen(window, Math.max(old, now, evidence.stack.notBefore))
  if (at === null)
    return {
      kind: 'by_hand',
      reason: 'the window of the update policy never opens: set another schedule',
    }
  return at <= now ? { kind: 'due', reason: null } : { kind: 'planned', at }
}

function whyByHand(
  { mode, except }: UpdatePolicy,
  { digest }: NewerImage,
  { service, heldBack, blocked, stack, verb, isUp, isConfirmed }: UpdateEvidence,
): string | undefined {
  if (mode !== 'apply') return 'the mode of the update policy is not apply'
  if (except.includes(service)) return 'the update policy excepts this service'
  if (heldBack.has(digest))
    return 'this image is held back after an update: allow it, or wait for a newer one'
  if (blocked !== null) return blocked
  if (!stack.isUp) return 'the stack is stopped or down: deploy it'
  if (stack.hasFailed) return 'the last deployment of the stack failed: deploy it again'
  if (stack.isRolledBack) return 'the stack was rolled back: deploy it to resume updates'
  if (!stack.isDeployed) return 'the newest files of the stack are not deployed: deploy them'
  if (verb === 'stop') return 'the service was stopped: start it'
  if (verb === 'pause') return 'the service was paused: unpause it'
  if (!isUp) return 'the service does not run: start it'
  return isConfirmed ? undefined : 'the registry did not confirm the image: look again'
}
