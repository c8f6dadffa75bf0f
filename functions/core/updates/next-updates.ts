import { groupBy } from '../group-by.ts'
import { hasFailed, type StackRecord } from '../records/stack.ts'
import type { UpdatePolicy } from '../records/update-policy.ts'
import { deployedRevisionOf } from '../stacks/deployed-revision.ts'
import { verbOf } from '../states/expectation.ts'
import { decideUpdate, type NextUpdate, type StackEvidence } from './decide-update.ts'
import type { UpdateStatus } from './judge-update.ts'
import { isWatched, notBefore } from './open-update.ts'
import type { ServiceImage } from './service-images.ts'

/** A service, and whether there is a newer image for it. Times are milliseconds since the epoch. */
interface JudgedService {
  service: ServiceImage
  status: UpdateStatus
  /** When the registry is asked next; null if that is not planned. */
  nextAt: number | null
}

/** After this time a look that is due counts as missed. Milliseconds. */
const missedAfter = 3_600_000

/**
 * Returns services of a stack, each with what happens next with its image. Whoever applies updates
 * asks this too, so that what is shown is what happens.
 *
 * @param services all of the stack
 * @param blocked why no update of the stack may run, by `whyBlocked`
 * @param now in milliseconds since the epoch
 */
export function nextUpdates<S extends JudgedService>(
  stack: StackRecord,
  services: readonly S[],
  { policy, blocked, now }: { policy: UpdatePolicy; blocked: string | null; now: number },
): (S & { next: NextUpdate })[] {
  const heldBack = new Set((stack.heldBack ?? []).map(({ digest }) => digest))
  const ofStack = { stack: evidenceOf(stack, now), heldBack, blocked, now }
  const decided = services.map((one) => {
    const { service, isUp } = one.service
    const next = decideUpdate(policy, {
      ...ofStack,
      service,
      status: one.status,
      isConfirmed: isConfirmed(one, now),
      verb: verbOf(stack, service)?.verb,
      isUp,
      isWatched: isWatched(stack, service),
    })
    return { ...one, next }
  })
  return withoutDivided(decided)
}

/** Returns whether the last look at a tag succeeded, and none was missed. */
const isConfirmed = ({ status, nextAt }: JudgedService, now: number): boolean =>
  !status.hasFailed && nextAt !== null && now <= nextAt + missedAfter

type Decided = JudgedService & { next: NextUpdate }

/**
 * Leaves to a person what would divide services that use one image: its name stands for the newer
 * one afterwards, so that their next deploy takes it too.
 */
function withoutDivided<S extends Decided>(services: readonly S[]): S[] {
  const sharing = groupBy(services, ({ service }) => service.name.name)
  return services.map((one) => {
    const { kind } = one.next
    if (kind !== 'due' && kind !== 'planned') return one
    const reason = whyDivided(sharing.get(one.service.name.name) ?? [])
    return reason === undefined ? one : { ...one, next: { kind: 'by_hand', reason } }
  })
}

function whyDivided(sharing: readonly Decided[]): string | undefined {
  for (const { service, next } of sharing) {
    if (next.kind !== 'by_hand') continue
    return `service ${service.service} uses the same image: ${next.reason}`
  }
  const running = new Set(sharing.flatMap(({ service }) => service.used ?? []).map(({ id }) => id))
  return running.size > 1
    ? 'containers of this image run different versions of it: deploy the stack'
    : undefined
}

const evidenceOf = (stack: StackRecord, now: number): StackEvidence => ({
  isUp: stack.deployed && stack.down !== true,
  hasFailed: hasFailed(stack.last),
  isRolledBack: stack.last?.isRolledBack === true,
  isDeployed: deployedRevisionOf(stack) === stack.contentRevision,
  notBefore: notBefore(stack, now),
})
