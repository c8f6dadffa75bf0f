import type { StackRecord } from '../records/stack.ts'
import { decideUpdate } from '../updates/decide-update.ts'
import type { ServiceUpdate } from '../updates/list-updates.ts'
import { policyOf } from '../updates/policy-of.ts'
import type { ApplyPorts } from './update-ports.ts'

/** Milliseconds until an update is tried again that failed before it changed a container. */
const pause = 3_600_000

/** Returns the services of a stack whose newer images are taken now. */
export function dueUpdates(
  stack: StackRecord,
  updates: readonly ServiceUpdate[],
  { clock }: Pick<ApplyPorts, 'clock'>,
): ServiceUpdate[] {
  const now = clock.now()
  const { update } = stack
  if (update?.outcome === 'failed' && now < update.at + pause) return []
  const heldBack = new Set((stack.heldBack ?? []).map(({ digest }) => digest))
  return updates.filter(({ service, status }) => {
    const evidence = { service: service.service, status, heldBack, blocked: null, now }
    return decideUpdate(policyOf(stack), evidence).kind === 'due'
  })
}
