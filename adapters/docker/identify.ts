import type { Identify } from '../../functions/core/owners/protect-installation.ts'
import { inspectContainer, planReadDeadline } from './inspect/container.ts'
import { inspectImage } from './inspect/image.ts'
import { findNetwork } from './networks-and-volumes/networks.ts'
import { unlessMissing } from './responses/errors.ts'
import type { EngineClient } from './transport/client.ts'

/** Returns how this Engine resolves names, IDs and beginnings of IDs. */
export const identifyOn = (client: EngineClient): Identify => ({
  async container(named) {
    const options = { deadline: planReadDeadline }
    const found = await unlessMissing(inspectContainer(client, named, options))
    return (
      found && {
        id: found.Id,
        name: found.Name.replace(/^\//, ''),
        hostname: found.Config.Hostname ?? '',
        networks: Object.keys(found.NetworkSettings.Networks),
      }
    )
  },
  async image(named) {
    const found = await inspectImage(client, named)
    return found && { id: found.Id, isPulled: (found.RepoDigests ?? []).length > 0 }
  },
  async network(named) {
    return (await findNetwork(client, named))?.name
  },
})
