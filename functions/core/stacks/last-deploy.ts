import type { Needs } from '../ports/ports.ts'
import type { Deployment } from '../records/deployment.ts'
import { bringsUp } from '../records/deployment-kinds.ts'

/**
 * The deployments among which the last deploy is looked for. One of the whole stack can be further
 * back than many of single services: all that are kept by default.
 */
const searched = { any: 20, whole: 100 }

/** Returns the last successful deploy of a stack, if `whole` only of all its services. */
export async function lastDeploy(
  stack: string,
  which: keyof typeof searched,
  { deployments }: Needs<'deployments'>,
): Promise<Deployment | undefined> {
  const known = await deployments.listByStack(stack, searched[which])
  return known.find(
    ({ kind, status, options }) =>
      bringsUp(kind) &&
      status === 'succeeded' &&
      (which === 'any' || options.services.length === 0),
  )
}
