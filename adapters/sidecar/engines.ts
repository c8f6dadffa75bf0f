import type { Engines } from '../../functions/core/engine/ports.ts'
import { broken } from '../../functions/core/errors.ts'
import type { Host } from '../../functions/core/hosts/ports.ts'
import { noSuchHost } from '../../functions/core/hosts/target.ts'
import type { Needs } from '../../functions/core/ports.ts'
import { transportFrom } from '../docker/connect.ts'
import { type DockerEngine, dockerEngine } from '../docker/engine.ts'
import { hostAgent } from './agents/host-agent.ts'
import type { Reach } from './agents/reach.ts'

/** Engines with open connections. */
export interface OpenEngines extends Engines {
  /** Closes the connections and never fails. Containers on the hosts keep running. */
  close(): Promise<void>
}

/**
 * Returns the Engines of the hosts. The local host's Engine is found as Docker's own tools find it
 * in this environment; the others are reached through their agents, or not at all without `remote`.
 * An Engine is created on first use and kept, whether its agent is connected or not. `deadline` is
 * the timeout of short calls in milliseconds; the default is 5 s.
 */
export function openEngines(
  local: Host,
  environment: NodeJS.ProcessEnv,
  remote?: Needs<'hosts' | 'registries'> & { reach: Reach },
  deadline?: number,
): OpenEngines {
  const own = dockerEngine({
    transport: transportFrom(environment),
    host: local.name,
    stacksDirectory: local.stacksDirectory,
    registries: remote?.registries,
    deadline,
  })
  const others = new Map<string, DockerEngine>()
  const make = ({ id, name, stacksDirectory }: Host, reach: Reach) => {
    const agent = hostAgent(() =>
      reach(id).catch((cause) => {
        throw broken(`host ${name}: ${cause.message}`, { cause })
      }),
    )
    const engine = dockerEngine({
      transport: { agent },
      host: name,
      stacksDirectory,
      registries: remote?.registries,
      deadline,
    })
    return {
      ...engine,
      async close() {
        await engine.close()
        agent.destroy()
      },
    }
  }
  return {
    async on(hostId) {
      if (hostId === local.id) return own
      const host = await remote?.hosts.find(hostId)
      if (!remote || !host?.agent) throw noSuchHost(hostId)
      if (host.agent.state === 'revoked') throw broken(`host ${host.name}: it was revoked`)
      if (host.agent.state === 'pending')
        throw broken(`host ${host.name}: its agent has never connected`)
      const engine = others.get(hostId) ?? make(host, remote.reach)
      others.set(hostId, engine)
      return engine
    },
    async close() {
      await Promise.all([own, ...others.values()].map((engine) => engine.close()))
    },
  }
}
