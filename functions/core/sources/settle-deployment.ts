import type { Needs } from '../ports/ports.ts'
import type { Deployment } from '../records/deployment.ts'
import type { BegunDeployment } from '../records/stack-source.ts'
import { deployedRevisionOf } from '../stacks/deployed-revision.ts'
import { isCommitId } from './git-place.ts'
import { reportSync } from './report-sync.ts'
import { type BoundStack, changeBinding } from './stack-source-record.ts'

/** Characters of the error of a deployment. */
const errorMax = 500

/**
 * Returns whether it may have to be recorded how the deployment ended that a sync of a stack began:
 * it may have ended, or what is shown of it may hold no more.
 */
export const isUnsettled = (stack: BoundStack): boolean => {
  const { begun } = stack.source
  return begun !== undefined && (begun.error === null || isOver(stack))
}

/** Whether nothing of the newest files is left to deploy: they are deployed, or it is stopped. */
const isOver = (stack: BoundStack): boolean =>
  !stack.deployed || deployedRevisionOf(stack) === stack.contentRevision

/**
 * Records how the deployment ended that the last sync began. One that failed stays shown until the
 * newest files are deployed, by a sync or by a user. The audit log gets a row when it fails.
 *
 * @throws what the store throws
 */
export async function settleDeployment(
  bound: BoundStack,
  ports: Needs<'audit' | 'clock' | 'deployments' | 'random' | 'stacks'>,
): Promise<void> {
  const { begun } = bound.source
  if (!begun) return
  const deployment = await ports.deployments.find(bound.id, begun.id)
  if (deployment?.status === 'running') return
  const error = isOver(bound) ? undefined : whyFailed(bound.id, begun, deployment)
  let isNew = false
  const saved = await changeBinding(
    bound,
    ({ source: { begun: now } }) => {
      isNew = now?.id === begun.id && error !== undefined && now.error === null
      if (now?.id !== begun.id) return {}
      return { begun: error === undefined ? undefined : { ...begun, error } }
    },
    ports,
  )
  if (!saved || !isNew || error === undefined) return
  const failed = { state: { revision: begun.revision }, deploymentId: begun.id, error }
  await reportSync(saved, { action: 'stacks.source.fail', ...failed }, undefined, ports)
}

/** Returns why a deployment failed, as a sentence, or undefined if it did not or is deleted. */
function whyFailed(
  stack: string,
  { id, revision }: BegunDeployment,
  deployment: Deployment | undefined,
): string | undefined {
  if (!deployment || deployment.status === 'succeeded') return undefined
  const what = isCommitId(revision) ? `commit ${revision}` : revision
  const ended = deployment.status === 'interrupted' ? 'was interrupted' : 'failed'
  const why = (deployment.error ?? 'its steps say why').slice(0, errorMax)
  return `deployment ${id} of ${what} ${ended}: ${why}; it is tried again when the source has something new for the stack, or with \`cli stacks source sync ${stack}\``
}
