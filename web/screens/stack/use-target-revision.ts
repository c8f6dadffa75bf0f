import { useEffect } from 'preact/hooks'
import { resource } from '../../data/cache.ts'
import type { Deployment } from '../../data/stack-operations.ts'

/**
 * Returns the revision that a rollback went back to. Returns undefined for other deployments, until
 * it is loaded, and if the deployment that was deployed again is kept no longer.
 *
 * @param among deployments that are loaded already
 */
export function useTargetRevision(
  name: string,
  { rolled_back_to: id }: Pick<Deployment, 'rolled_back_to'>,
  among: readonly Deployment[] = [],
): number | undefined {
  const known = among.find((one) => one.id === id)
  const target =
    id === null || known ? undefined : resource('/stacks/{name}/deployments/{id}', { name, id })
  useEffect(() => target?.retain(), [target])
  return known?.revision ?? target?.value.value?.revision
}
