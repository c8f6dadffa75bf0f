import { notFound } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import { bringsUp } from '../records/deployment-kinds.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackFiles } from '../records/stack-files.ts'

/** The number of recent deployments to search for a revision. */
const deploymentsMax = 200

/**
 * Returns the files of a stack at a revision that is still stored: the current one, a recent one,
 * or one that was deployed. Undefined stands for the current one.
 *
 * @throws 404 for any other revision
 */
export async function revisionFiles(
  stack: StackRecord,
  revision: number | undefined,
  { deployments }: Needs<'deployments'>,
): Promise<StackFiles> {
  if (revision === undefined || revision === stack.contentRevision) return stack.files
  const earlier = stack.earlier?.find((one) => one.revision === revision)
  if (earlier) return earlier.files
  const all = await deployments.listByStack(stack.id, deploymentsMax)
  const found = all.find(
    ({ kind, contentRevision }) => bringsUp(kind) && contentRevision === revision,
  )
  if (!found) throw notFound(`stack ${stack.id}: revision ${revision} is not stored`)
  return found.files
}
