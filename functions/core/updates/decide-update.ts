import type { ServiceVerb } from '../records/stack-state.ts'
import type { UpdatePolicy } from '../records/update-policy.ts'
import type { NewerImage, UpdateStatus } from './judge-update.ts'
import { firstOpen } from './update-window.ts'

export const nextKinds = ['none', 'by_hand', 'planned', 'due', 'watched'] as const

/** What happens next with the image of a service. Times are milliseconds since the epoch. */
export type NextUpdate =
  /** Nothing is newer, or that is not known. */
  | { kind: 'none' }
  /** A person has to take it; `reason` says why. */
  | { kind: 'by_hand'; reason: string }
  /** It is taken then, if nothing changes. */
  | { kind: 'planned'; at: number }
  | { kind: 'due' }
  /** It was taken, and is watched. */
  | { kind: 'watched' }

/** What a decision rests on besides the policy. */
export interface UpdateEvidence {
  service: string
  status: UpdateStatus
  /** Digests that this stack may not take: they were bad. */
  heldBack: ReadonlySet<string>
  /** Why no update of the stack may run, such as a right that its account lost; null if it may. */
  blocked: string | null
  stack: StackEvidence
  /** What a user last did to the service. */
  verb: ServiceVerb['verb'] | undefined
  /** A container of it runs, or it is a job that ended with 0. */
  isUp: boolean
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
  // A time ahead was recorded by a clock that was: it is at least as old as now.
  const old = newer.seenAt + minimumAgeHours * hour
  const at = firstOpen(window, Math.max(old, now, evidence.stack.notBefore))
  if (at === null) return { kind: 'by_hand', reason: 'the window of the policy never opens' }
  return at <= now ? { kind: 'due' } : { kind: 'planned', at }
}

function whyByHand(
  { mode, except }: UpdatePolicy,
  { digest }: NewerImage,
  { service, heldBack, blocked, stack, verb, isUp }: UpdateEvidence,
): string | undefined {
  if (mode !== 'apply') return 'the policy applies no updates'
  if (except.includes(service)) return 'the policy leaves it out'
  if (heldBack.has(digest)) return 'this image was bad: it is held back until another appears'
  if (blocked !== null) return blocked
  if (!stack.isUp) return 'the stack is stopped or down'
  if (stack.hasFailed) return 'the last deployment of the stack failed'
  if (stack.isRolledBack) return 'the stack was rolled back: deploy it, and updates go on'
  if (!stack.isDeployed) return 'the newest files of the stack are not deployed'
  if (verb === 'stop') return 'the service was stopped'
  if (verb === 'pause') return 'the service was paused'
  return isUp ? undefined : 'the service does not run'
}
