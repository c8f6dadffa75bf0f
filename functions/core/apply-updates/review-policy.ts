import type { Actor } from '../access/actor.ts'
import type { ActsAs } from '../records/acts-as.ts'
import type { StackRecord } from '../records/stack.ts'
import { changeStack } from '../stacks/stack-record.ts'
import { judgePolicy } from '../updates/judge-policy.ts'
import type { ResolvedPolicy } from '../updates/policy-of.ts'
import { reportBlocked } from './report-update.ts'
import type { ApplyPorts } from './update-ports.ts'

/**
 * Returns whose rights the updates of a stack have now; undefined if they are blocked. A change is
 * recorded: for the stack, and in the audit log, where it becomes an event.
 */
export async function reviewPolicy(
  stack: StackRecord,
  policy: ResolvedPolicy,
  ports: ApplyPorts,
): Promise<Actor | undefined> {
  const standing = await judgePolicy(stack, policy, ports)
  const blocked = standing.kind === 'blocked' ? standing.reason : null
  const { actsAs, source } = policy
  if (actsAs && actsAs.blocked !== blocked) {
    const isRecorded =
      source === 'stack'
        ? await recordOwn(stack, actsAs, blocked, ports)
        : await recordInherited(stack, blocked, ports)
    if (isRecorded) await reportBlocked(stack, blocked, ports)
  }
  return standing.kind === 'account' ? standing.actor : undefined
}

/** Returns false if someone saved the policy in the meantime: this says nothing of it then. */
async function recordOwn(
  { id }: StackRecord,
  actsAs: ActsAs,
  blocked: string | null,
  ports: ApplyPorts,
): Promise<boolean> {
  let isRecorded = false
  await changeStack(
    id,
    ({ updatePolicy }) => {
      const now = updatePolicy?.actsAs
      isRecorded = now?.since === actsAs.since && now.blocked === actsAs.blocked
      if (!updatePolicy || !now || !isRecorded) return {}
      return { updatePolicy: { ...updatePolicy, actsAs: { ...now, blocked } } }
    },
    ports,
  )
  return isRecorded
}

/** Returns false if someone saved a policy of the stack in the meantime. */
async function recordInherited(
  { id }: StackRecord,
  blocked: string | null,
  ports: ApplyPorts,
): Promise<boolean> {
  let isRecorded = false
  await changeStack(
    id,
    ({ updatePolicy }) => {
      isRecorded = updatePolicy === undefined
      return isRecorded ? { blockedUpdates: blocked ?? undefined } : {}
    },
    ports,
  )
  return isRecorded
}
