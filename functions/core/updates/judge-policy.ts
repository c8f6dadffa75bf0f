import type { Actor } from '../access/actor.ts'
import { type JudgePorts, judgeLaterWork, type Standing } from '../acts-as/judge-later-work.ts'
import { requireVolumes } from '../backups/jobs/approve-volumes.ts'
import { isOwnStack } from '../owners/refuse-installation.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { BackupJob } from '../records/backup-job.ts'
import type { StackRecord } from '../records/stack.ts'
import type { InheritedPolicy, UpdatePolicy } from '../records/update-policy.ts'
import {
  type CheckpointPorts,
  checkpointNeeds,
  findCheckpointJob,
  whyJobBlocked,
} from './checkpoint-job.ts'
import type { ResolvedPolicy } from './policy-of.ts'
import { whyTakenBack } from './update-order.ts'

/**
 * Decides whether updates of a stack may run now, and with whose rights. Ask right before each
 * update. Without an account none runs: no update acts as the service.
 *
 * @throws what the store throws: it is unknown then whether an update may run, so it must not
 */
export async function judgePolicy(
  stack: Pick<StackRecord, 'id' | 'hostId'>,
  { mode, actsAs, checkpoint }: UpdatePolicy,
  ports: CheckpointPorts,
): Promise<Exclude<Standing, { kind: 'unknown-author' }>> {
  if (mode !== 'apply') return blocked('the mode of the update policy is not apply')
  const found = checkpoint ? await findCheckpointJob(stack, checkpoint, ports) : undefined
  if (found && 'problem' in found) return blocked(found.problem)
  const job = found?.job
  const ofJob = job && (await whyJobBlocked(job, ports))
  if (ofJob) return blocked(ofJob)
  const needs = [deploys, ...(job ? checkpointNeeds(job) : [])]
  const check = (actor: Actor, scoped: CheckpointPorts) => mayUse(job, actor, scoped)
  const standing = await judgeLaterWork({ actsAs, hostId: stack.hostId, needs, check }, ports)
  if (standing.kind !== 'unknown-author') return standing
  return blocked('the update policy has no account: save it again')
}

const deploys = { part: 'updates', permission: 'stacks:deploy' as const }

const blocked = (reason: string) => ({ kind: 'blocked' as const, reason })

/** @throws 403 if the account may not use the data of a volume that a job backs up */
async function mayUse(job: BackupJob | undefined, actor: Actor, ports: CheckpointPorts) {
  if (job) await requireVolumes(job.volumes, 'backup', actor, ports)
}

/** Returns why no update of a stack may run, although its policy applies them; otherwise null. */
export async function whyBlocked(
  stack: Pick<StackRecord, 'id' | 'hostId'>,
  policy: UpdatePolicy,
  ports: CheckpointPorts,
): Promise<string | null> {
  if (policy.mode !== 'apply') return null
  const standing = await judgePolicy(stack, policy, ports)
  return standing.kind === 'blocked' ? standing.reason : null
}

/** As `whyBlocked`, or which update of the same host cannot be taken back; otherwise null. */
export async function whyHeldUp(
  stack: StackRecord,
  policy: UpdatePolicy,
  ports: CheckpointPorts & Needs<'stacks'>,
): Promise<string | null> {
  const blocked = await whyBlocked(stack, policy, ports)
  if (blocked !== null || policy.mode !== 'apply') return blocked
  const stacks = (await ports.stacks.list()).filter(({ hostId }) => hostId === stack.hostId)
  return whyTakenBack(stacks.filter(({ update }) => (update?.rollback?.error ?? null) !== null))
}

/** Returns why no update by a policy that stacks inherit may run on any host; otherwise null. */
export async function whyInheritedBlocked(
  { mode, actsAs }: InheritedPolicy,
  ports: JudgePorts,
): Promise<string | null> {
  if (mode !== 'apply') return null
  const standing = await judgeLaterWork({ actsAs, needs: [deploys] }, ports)
  return standing.kind === 'blocked' ? standing.reason : null
}

/** Returns whether the service itself runs in a stack, which a policy of many stacks leaves out. */
export const isLeftOut = async (
  { id }: Pick<StackRecord, 'id'>,
  { mode, source }: ResolvedPolicy,
  engine: Engine,
): Promise<boolean> => mode === 'apply' && source !== 'stack' && isOwnStack(id, engine)
