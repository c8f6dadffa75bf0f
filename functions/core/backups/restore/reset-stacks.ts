import type { Needs } from '../../ports/ports.ts'
import type { BackupRun, RestoredField, StackBefore } from '../../records/backup-run.ts'
import type { EarlierRevision, StackRecord } from '../../records/stack.ts'
import { newRevision } from '../../stacks/new-revision.ts'
import { changeStack } from '../../stacks/stack-record.ts'

/** Returns the part of a stack's record that `resetStacks` needs to undo a restore. */
export function stackBefore(name: string, stack: StackRecord | undefined): StackBefore {
  if (!stack) return { name, before: null }
  const kept = newRevision(stack, stack.files).earlier ?? []
  const dropped = (stack.earlier ?? []).slice(Math.max(0, kept.length - 1))
  return { name, before: { ...restoredFieldsOf(stack), dropped } }
}

/**
 * Undoes the changes of a restore in the records of stacks, even if only some were changed. Records
 * that were changed again later stay as they are.
 */
export async function resetStacks(run: BackupRun, ports: Needs<'stacks'>): Promise<void> {
  for (const one of run.journal?.stacks ?? []) await resetStack(one, run.id, ports)
}

async function resetStack(
  { name, before }: StackBefore,
  runId: string,
  ports: Needs<'stacks'>,
): Promise<void> {
  const isFromRun = ({ filesFrom, contentRevision, last }: StackRecord) =>
    filesFrom === runId &&
    (before ? contentRevision === before.contentRevision + 1 : contentRevision === 1 && !last)
  if (before) {
    const undone = (stack: StackRecord) => ({
      ...restoredFieldsOf(before),
      earlier: earlierBefore(stack, before.dropped ?? []),
    })
    await changeStack(name, (stack) => (isFromRun(stack) ? undone(stack) : {}), ports)
    return
  }
  const stack = await ports.stacks.find(name)
  if (stack && isFromRun(stack)) await ports.stacks.remove(name)
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
  restoredPaths: stack.restoredPaths,
  updatedAt: stack.updatedAt,
  contentRevision: stack.contentRevision,
})
