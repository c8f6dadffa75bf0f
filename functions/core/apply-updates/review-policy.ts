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
  const { actsAs } = policy
  if (actsAs && actsAs.blocked !== blocked) {
    await recordBlocked(stack, policy, blocked, ports)
    await writeReports(stack.id, ports)
  }
  return standing.kind === 'account' ? standing.actor : undefined
}

/** Records it, unless someone saved a policy of the stack in the meantime. */
async function recordBlocked(
  stack: StackRecord,
  { actsAs, source }: ResolvedPolicy,
  blocked: string | null,
  ports: ApplyPorts,
): Promise<void> {
  const report = blockedRow(stack, blocked, ports)
  const changesOf = source === 'stack' ? changesOfOwn : changesOfInherited
  await changeStack(
    stack.id,
    (now) => {
      const changes = changesOf(now, actsAs, blocked)
      return changes ? { ...changes, ...withReport(now, report) } : {}
    },
    ports,
  )
}

function changesOfOwn(
  { updatePolicy }: StackRecord,
  actsAs: ActsAs | undefined,
  blocked: string | null,
): Partial<StackRecord> | undefined {
  const now = updatePolicy?.actsAs
  const isSame = now?.since === actsAs?.since && now?.blocked === actsAs?.blocked
  if (!updatePolicy || !now || !isSame) return undefined
  return { updatePolicy: { ...updatePolicy, actsAs: { ...now, blocked } } }
}

const changesOfInherited = (
  { updatePolicy }: StackRecord,
  _: ActsAs | undefined,
  blocked: string | null,
): Partial<StackRecord> | undefined =>
  updatePolicy ? undefined : { blockedUpdates: blocked ?? undefined }
