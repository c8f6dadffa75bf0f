import type { Needs } from '../../ports.ts'
import { changeStack } from '../../stacks/locate.ts'
import type { StackRecord } from '../../stacks/stack.ts'
import type { BackupRun, RestoredField, StackBefore } from '../run.ts'

/** Returns what `resetStacks` needs to undo the change of a stack's record. */
export const stackBefore = (name: string, stack: StackRecord | undefined): StackBefore => ({
  name,
  before: stack ? restoredFieldsOf(stack) : null,
})

/**
 * Undoes what a restore changed in the records of stacks, also if it changed only some. Records
 * that were changed again after that stay as they are.
 */
export async function resetStacks(run: BackupRun, ports: Needs<'stacks'>): Promise<void> {
  for (const one of run.journal?.stacks ?? []) await resetStack(one, run.id, ports)
}

async function resetStack(
  { name, before }: StackBefore,
  runId: string,
  ports: Needs<'stacks'>,
): Promise<void> {
  const isOurs = ({ filesFrom, contentRevision, last }: StackRecord) =>
    filesFrom === runId &&
    (before ? contentRevision === before.contentRevision + 1 : contentRevision === 1 && !last)
  if (before) {
    await changeStack(name, (stack) => (isOurs(stack) ? restoredFieldsOf(before) : {}), ports)
    return
  }
  const stack = await ports.stacks.find(name)
  if (stack && isOurs(stack)) await ports.stacks.remove(name)
}

/** Returns all of the fields, so that those that were missing become missing again. */
const restoredFieldsOf = (stack: Pick<StackRecord, RestoredField>) => ({
  files: stack.files,
  filesFrom: stack.filesFrom,
  composeFiles: stack.composeFiles,
  environment: stack.environment,
  services: stack.services,
  written: stack.written,
  updatedAt: stack.updatedAt,
  contentRevision: stack.contentRevision,
})
