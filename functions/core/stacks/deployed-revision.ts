import type { StackRecord } from '../records/stack.ts'
import type { StackFiles } from '../records/stack-files.ts'

/**
 * Returns the revision that is deployed: that of the last deploy of the whole stack that succeeded,
 * or null if there is none. In records of earlier versions it is the one whose files were written.
 */
export function deployedRevisionOf(stack: StackRecord): number | null {
  const { deployedRevision, written, contentRevision, files, earlier = [] } = stack
  if (deployedRevision !== undefined || !written || !stack.deployed) return deployedRevision ?? null
  const all = [{ revision: contentRevision, files }, ...earlier]
  return all.find((one) => isSame(one.files, written))?.revision ?? null
}

/** Returns the newest revision if its files were deployed, or else the given one. */
export const revisionDeployed = (
  { contentRevision, files }: Pick<StackRecord, 'contentRevision' | 'files'>,
  deployed: { files: StackFiles; contentRevision: number },
): number => (isSame(files, deployed.files) ? contentRevision : deployed.contentRevision)

const isSame = (one: StackFiles, two: StackFiles) => JSON.stringify(one) === JSON.stringify(two)
