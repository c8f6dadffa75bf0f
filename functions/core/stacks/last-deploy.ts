import type { Needs } from '../ports/ports.ts'
import type { Deployment } from '../records/deployment.ts'
import { bringsUp, kindRules } from '../records/deployment-kinds.ts'

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

/** Returns the last successful deploy that included a service of a stack. */
export async function lastDeployOf(
  stack: string,
  service: string,
  { deployments }: Needs<'deployments'>,
): Promise<Deployment | undefined> {
  const known = await deployments.listByStack(stack, searched.whole)
  return known.find(
    (one) => bringsUp(one.kind) && one.status === 'succeeded' && includes(one, service),
  )
}

/** A rollback names the services that were up, but the whole stack has its files. */
const includes = ({ kind, options, affected = options.services }: Deployment, service: string) =>
  options.services.length === 0 ||
  kindRules[kind].revision === 'restored' ||
  affected.includes(service)
