import type { Engines } from '../../functions/core/engine/ports.ts'
import { notFound } from '../../functions/core/errors.ts'
import type { Host } from '../../functions/core/hosts/ports.ts'
import type { RegistryCredentials } from '../../functions/core/registries/registry.ts'
import { transportFrom } from '../docker/connect.ts'
import { dockerEngine } from '../docker/engine.ts'

/** Engines with the connections that they keep. */
export interface OpenEngines extends Engines {
  /** Ends the connections; never fails. What runs on the hosts goes on. */
  close(): Promise<void>
}

/** The Engine of the local host, over the way that Docker's own tools would take with this environment. */
export function openEngines(
  local: Host,
  environment: NodeJS.ProcessEnv,
  registries?: RegistryCredentials,
): OpenEngines {
  const engine = dockerEngine({
    transport: transportFrom(environment),
    host: local.name,
    stacksDirectory: local.stacksDirectory,
    registries,
  })
  return {
    async on(hostId) {
      if (hostId === local.id) return engine
      throw notFound(`host ${hostId}: there is no such host`)
    },
    close: () => engine.close(),
  }
}
