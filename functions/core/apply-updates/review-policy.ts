import type { Actor } from '../access/actor.ts'
import type { ActsAs } from '../records/acts-as.ts'
import type { StackRecord } from '../records/stack.ts'
import { changeStack } from '../stacks/stack-record.ts'
import { judgePolicy } from '../updates/judge-policy.ts'
import type { ResolvedPolicy } from '../updates/policy-of.ts'
import { blockedRow } from './report-update.ts'
import type { ApplyPorts } from './update-ports.ts'
import { withReport, writeReports } from './write-reports.ts'

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
    if (source === 'stack') await recordOwn(stack, actsAs, blocked, ports)
    else await recordInherited(stack, blocked, ports)
    await writeReports(stack.id, ports)
  }
  return standing.kind === 'account' ? standing.actor : undefined
}

/** Records it, unless someone saved the policy in the meantime: this says nothing of it then. */
async function recordOwn(
  stack: StackRecord,
  actsAs: ActsAs,
  blocked: string | null,
  ports: ApplyPorts,
): Promise<void> {
  const report = blockedRow(stack, blocked, ports)
  await changeStack(
    stack.id,
    ({ updatePolicy, unreported }) => {
      const now = updatePolicy?.actsAs
      const isSame = now?.since === actsAs.since && now.blocked === actsAs.blocked
      if (!updatePolicy || !now || !isSame) return {}
      return {
        updatePolicy: { ...updatePolicy, actsAs: { ...now, blocked } },
        ...withReport({ unreported }, report),
      }
    },
    ports,
  )
}

/** Records it, unless someone saved a policy of the stack in the meantime. */
async function recordInherited(
  stack: StackRecord,
  blocked: string | null,
  ports: ApplyPorts,
): Promise<void> {
  const report = blockedRow(stack, blocked, ports)
  await changeStack(
    stack.id,
    ({ updatePolicy, unreported }) =>
      updatePolicy
        ? {}
        : { blockedUpdates: blocked ?? undefined, ...withReport({ unreported }, report) },
    ports,
  )
}
