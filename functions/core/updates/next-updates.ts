import { hasFailed, type StackRecord } from '../records/stack.ts'
import { deployedRevisionOf } from '../stacks/deployed-revision.ts'
import { verbOf } from '../states/expectation.ts'
import { decideUpdate, type NextUpdate, type StackEvidence } from './decide-update.ts'
import type { UpdateStatus } from './judge-update.ts'
import { afterFailure, isWatched } from './open-update.ts'
import { policyOf } from './policy-of.ts'
import type { ServiceImage } from './service-images.ts'

/** A service, and whether there is a newer image for it. */
interface JudgedService {
  service: ServiceImage
  status: UpdateStatus
}

/**
 * Returns services of a stack, each with what happens next with its image. Whoever applies updates
 * asks this too, so that what is shown is what happens.
 *
 * @param blocked why no update of the stack may run, by `whyBlocked`
 * @param now in milliseconds since the epoch
 */
export function nextUpdates<S extends JudgedService>(
  stack: StackRecord,
  services: readonly S[],
  { blocked, now }: { blocked: string | null; now: number },
): (S & { next: NextUpdate })[] {
  const policy = policyOf(stack)
  const heldBack = new Set((stack.heldBack ?? []).map(({ digest }) => digest))
  const ofStack = { stack: evidenceOf(stack, now), heldBack, blocked, now }
  return services.map((one) => {
    const { service, isUp } = one.service
    const next = decideUpdate(policy, {
      ...ofStack,
      service,
      status: one.status,
      verb: verbOf(stack, service)?.verb,
      isUp,
      isWatched: isWatched(stack) && (stack.last?.affected?.includes(service) ?? true),
    })
    return { ...one, next }
  })
}

const evidenceOf = (stack: StackRecord, now: number): StackEvidence => ({
  isUp: stack.deployed && stack.down !== true,
  hasFailed: hasFailed(stack.last),
  isRolledBack: stack.last?.kind === 'rollback',
  isDeployed: deployedRevisionOf(stack) === stack.contentRevision,
  notBefore: afterFailure(stack, now),
})
