import type { Actor } from '../access/actor.ts'
import type { StackRecord } from '../records/stack.ts'
import { changeStack } from '../stacks/stack-record.ts'
import { judgePolicy } from '../updates/judge-policy.ts'
import { reportBlocked } from './report-update.ts'
import type { ApplyPorts } from './update-ports.ts'

/**
 * Returns whose rights the updates of a stack have now; undefined if they are blocked. A change is
 * recorded: in the policy, and in the audit log, where it becomes an event.
 */
export async function reviewPolicy(
  stack: StackRecord,
  ports: ApplyPorts,
): Promise<Actor | undefined> {
  const standing = await judgePolicy(stack, ports)
  const blocked = standing.kind === 'blocked' ? standing.reason : null
  const actsAs = stack.updatePolicy?.actsAs
  if (actsAs && actsAs.blocked !== blocked) {
    let isRecorded = false
    await changeStack(
      stack.id,
      ({ updatePolicy }) => {
        const now = updatePolicy?.actsAs
        // If someone saved the policy in the meantime, this says nothing of it.
        isRecorded = now?.since === actsAs.since && now.blocked === actsAs.blocked
        if (!updatePolicy || !now || !isRecorded) return {}
        return { updatePolicy: { ...updatePolicy, actsAs: { ...now, blocked } } }
      },
      ports,
    )
    if (isRecorded) await reportBlocked(stack, blocked, ports)
  }
  return standing.kind === 'account' ? standing.actor : undefined
}
