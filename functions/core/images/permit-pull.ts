import { isInternalImage } from '../../compose/policy/internal-names.ts'
import { deploysStacks, reachOf } from '../access/reach.ts'
import { invalid } from '../errors.ts'
import type { HostFields } from '../hosts/host-fields.ts'
import { targetEngine } from '../hosts/target.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import { requireRegistry } from '../registries/allowed.ts'
import { refusePull } from './image-access.ts'

export type PullPorts = Needs<'engines' | 'hosts' | 'owners' | 'registries' | 'settings' | 'stacks'>

/**
 * Returns the Engine on which the caller may pull an image, and the registries to which the pull
 * is limited.
 *
 * @param path where the request names the image, such as `body.image`
 * @throws 403 if the caller may not use the registry, 400 for the helper image of this service,
 *   what `targetEngine` throws for the host, and 409 if another stack builds an image of that name
 */
export async function permitPull(
  { image, host, path }: { image: string; host: string | undefined; path: string },
  caller: Caller,
  ports: PullPorts,
): Promise<{ engine: Engine; hostFields: HostFields; registries: readonly string[] | undefined }> {
  const registries = await requireRegistry(image, path, caller, ports)
  if (isInternalImage(image)) {
    throw invalid(
      `${path}: ${image} is reserved for the helper image of this service: choose another name`,
    )
  }
  const target = await targetEngine(host, caller, ports)
  const user = { stack: null, hostId: target.hostFields.host_id, reach: reachOf(caller) }
  await refusePull(image, { ...user, mayDeploy: deploysStacks(caller, ports) }, ports)
  return { ...target, registries }
}
