import type { Engines } from '../../functions/core/engine/ports.ts'
import { broken } from '../../functions/core/errors.ts'
import type { Host } from '../../functions/core/hosts/ports.ts'
import { noSuchHost } from '../../functions/core/hosts/target.ts'
import type { Needs } from '../../functions/core/ports.ts'
import { transportFrom } from '../docker/connect.ts'
import { type DockerEngine, dockerEngine } from '../docker/engine.ts'
import { hostAgent } from './agents/host-agent.ts'
import type { Reach } from './agents/reach.ts'

/** Engines with the connections that they keep. */
export interface OpenEngines extends Engines {
  /** Ends the connections; never fails. What runs on the hosts goes on. */
  close(): Promise<void>
}

/**
 * The Engine of the local host, over the way that Docker's own tools would take with this environment, and those of
 * hosts with agents, over theirs (none at all without `remote`). An Engine is made at the first need and kept: its agent may come and go.
 * `deadline` is that of calls that should be answered at once, 5 s unless given.
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
      if (host.agent.state === 'pending') throw broken(`host ${host.name}: its agent never came`)
      const engine = others.get(hostId) ?? make(host, remote.reach)
      others.set(hostId, engine)
      return engine
    },
    async close() {
      await Promise.all([own, ...others.values()].map((engine) => engine.close()))
    },
  }
}
