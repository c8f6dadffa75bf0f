import type { StackRecord } from '../records/stack.ts'
import type { DeployedSource, StackSource, SyncTrigger } from '../records/stack-source.ts'

/**
 * Returns what the newest files of a stack were taken from, or undefined if that is not known: it
 * follows no source, has taken nothing, or has other files since, such as after a rollback. Edits
 * of files that are kept here change nothing about it.
 */
export function takenSource(
  { source, contentRevision }: Pick<StackRecord, 'contentRevision' | 'source'>,
  trigger: SyncTrigger,
): DeployedSource | undefined {
  if (!source?.synced?.treeId || source.takenRevision !== contentRevision) return undefined
  const { at: _, ...state } = source.synced
  return { ...state, source: source.source, trigger }
}

/**
 * Returns how a stack follows its source after files were saved.
 *
 * @param next how it follows it then, apart from that
 * @param revision of the stack then
 * @param isOfSource the files are those of the source
 */
export function withTakenRevision(
  { source: before, contentRevision }: Pick<StackRecord, 'contentRevision' | 'source'>,
  next: StackSource,
  revision: number,
  isOfSource: boolean,
): StackSource {
  const isTaken = isOfSource || before?.takenRevision === contentRevision
  return isTaken ? { ...next, takenRevision: revision } : next
}
