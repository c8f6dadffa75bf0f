import { isOwnerOf } from '../../owners/find-owner.ts'
import type { Needs } from '../../ports/ports.ts'
import type { BackupRun, RestoredField, StackBefore } from '../../records/backup-run.ts'
import type { EarlierRevision, StackRecord } from '../../records/stack.ts'
import { newRevision } from '../../stacks/new-revision.ts'
import { changeStack } from '../../stacks/stack-record.ts'

type ResetPorts = Needs<'owners' | 'stacks'>

/** Returns the part of a stack's record that `resetStacks` needs to undo a restore. */
export function stackBefore(name: string, stack: StackRecord | undefined): StackBefore {
  if (!stack) return { name, before: null }
  const kept = newRevision(stack, stack.files).earlier ?? []
  const dropped = (stack.earlier ?? []).slice(Math.max(0, kept.length - 1))
  return { name, before: { ...restoredFieldsOf(stack), dropped } }
}

/**
 * Undoes the changes of a restore in the records of stacks and of the owners of their volumes, even
 * if only some were changed. Records that were changed again later stay as they are.
 */
export async function resetStacks(run: BackupRun, ports: ResetPorts): Promise<void> {
  for (const one of run.journal?.stacks ?? []) await resetStack(one, run, ports)
}

async function resetStack(one: StackBefore, run: BackupRun, ports: ResetPorts): Promise<void> {
  const { name, before } = one
  const isFromRun = ({ filesFrom, contentRevision, last }: StackRecord) =>
    filesFrom === run.id &&
    (before ? contentRevision === before.contentRevision + 1 : contentRevision === 1 && !last)
  const stack = await ports.stacks.find(name)
  // Before the stack is removed: without it, a volume would have the owner that is gone.
  await resetOwners(one, stack && !isFromRun(stack) ? stack : undefined, run.hostId, ports)
  if (before) {
    const undone = (now: StackRecord) => ({
      ...restoredFieldsOf(before),
      earlier: earlierBefore(now, before.dropped ?? []),
    })
    await changeStack(name, (now) => (isFromRun(now) ? undone(now) : {}), ports)
    return
  }
  if (stack && isFromRun(stack)) await ports.stacks.remove(name)
}

/** @param kept the stack, if it was changed again and goes on with the volumes that it has */
async function resetOwners(
  { name: stack, volumes = [] }: StackBefore,
  kept: StackRecord | undefined,
  hostId: string,
  { owners }: ResetPorts,
): Promise<void> {
  for (const { name, owner } of volumes) {
    const now = await owners.find({ hostId, kind: 'volume', name })
    // Others have it, or the stack was deleted later.
    if (!now || now.stack !== stack || now.leftBy) continue
    if (kept && isOwnerOf(kept, now)) continue
    if (owner) await owners.replace(owner)
    else await owners.release(now)
  }
}

/** Returns the earlier revisions as they were before the restore; undefined if there were none. */
function earlierBefore({ earlier = [] }: StackRecord, dropped: EarlierRevision[]) {
  const before = [...earlier.slice(1), ...dropped]
  return before.length > 0 ? before : undefined
}

/** Returns every restored field, so that a field that was missing becomes missing again. */
const restoredFieldsOf = (stack: Pick<StackRecord, RestoredField>) => ({
  files: stack.files,
  filesFrom: stack.filesFrom,
  composeFiles: stack.composeFiles,
  environment: stack.environment,
  services: stack.services,
  written: stack.written,
  mayHaveForeignFiles: stack.mayHaveForeignFiles,
  restoredPaths: stack.restoredPaths,
  updatedAt: stack.updatedAt,
  contentRevision: stack.contentRevision,
})
