import type { Actor } from '../access/actor.ts'
import { judgeLaterWork, type Standing } from '../acts-as/judge-later-work.ts'
import { requireVolumes } from '../backups/jobs/approve-volumes.ts'
import type { BackupJob } from '../records/backup-job.ts'
import type { StackRecord } from '../records/stack.ts'
import {
  type CheckpointPorts,
  checkpointNeeds,
  findCheckpointJob,
  whyJobBlocked,
} from './checkpoint-job.ts'
import { policyOf } from './policy-of.ts'

/**
 * Decides whether updates of a stack may run now, and with whose rights. Ask right before each
 * update. Without an account none runs: no update acts as the service.
 *
 * @throws what the store throws: it is unknown then whether an update may run, so it must not
 */
export async function judgePolicy(
  stack: Pick<StackRecord, 'id' | 'hostId' | 'updatePolicy'>,
  ports: CheckpointPorts,
): Promise<Exclude<Standing, { kind: 'unknown-author' }>> {
  const { mode, actsAs, checkpoint } = policyOf(stack)
  if (mode !== 'apply') return blocked('the mode of the update policy is not apply')
  const found = checkpoint ? await findCheckpointJob(stack, checkpoint, ports) : undefined
  if (found && 'problem' in found) return blocked(found.problem)
  const job = found?.job
  const ofJob = job && (await whyJobBlocked(job, ports))
  if (ofJob) return blocked(ofJob)
  const needs = [
    { part: 'updates', permission: 'stacks:deploy' as const },
    ...(job ? checkpointNeeds(job) : []),
  ]
  const check = (actor: Actor, scoped: CheckpointPorts) => mayUse(job, actor, scoped)
  const standing = await judgeLaterWork({ actsAs, hostId: stack.hostId, needs, check }, ports)
  if (standing.kind !== 'unknown-author') return standing
  return blocked('the update policy has no account: save it again')
}

const blocked = (reason: string) => ({ kind: 'blocked' as const, reason })

/** @throws 403 if the account may not use the data of a volume that a job backs up */
async function mayUse(job: BackupJob | undefined, actor: Actor, ports: CheckpointPorts) {
  if (job) await requireVolumes(job.volumes, 'backup', actor, ports)
}

/** Returns why no update of a stack may run, although its policy applies them; otherwise null. */
export async function whyBlocked(
  stack: Pick<StackRecord, 'id' | 'hostId' | 'updatePolicy'>,
  ports: CheckpointPorts,
): Promise<string | null> {
  if (policyOf(stack).mode !== 'apply') return null
  const standing = await judgePolicy(stack, ports)
  return standing.kind === 'blocked' ? standing.reason : null
}
