import { internalError } from '../../../functions/core/errors.ts'
import { noSuchHost } from '../../../functions/core/hosts/target.ts'
import type { InstallationRecords } from '../../../functions/core/owners/engine-facts.ts'
import type { Engines } from '../../../functions/core/ports/engines.ts'
import type { Needs } from '../../../functions/core/ports/ports.ts'
import { ignoreResult } from '../../../functions/core/promises.ts'
import type { Host } from '../../../functions/core/records/host.ts'
import { type DockerEngine, dockerEngine } from '../../docker/engine.ts'
import type { OwnRecords } from '../../docker/state/installation.ts'
import { transportFrom } from '../../docker/transport/connect.ts'
import { hostAgent } from './host-agent.ts'
import type { Reach } from './reach.ts'

/** Engines with open connections. */
export interface OpenEngines extends Engines {
  /** Closes the connections and never fails. Containers on the hosts keep running. */
  close(): Promise<void>
}

export interface EnginesOptions {
  /** Milliseconds. The timeout of short calls; the default is 5 s. */
  deadline?: number
  /** Where the parts of the installation run. They count on each Engine that has them. */
  installation?: () => Promise<InstallationRecords>
  /**
   * Paths of this machine with which a container controls the service, such as its data. They count
   * on each Engine, too: an agent can lead to the Engine of this machine.
   */
  controlPaths?: readonly string[]
}

/**
 * Returns the Engines of the hosts. The local host's Engine is found as the `docker` command finds
 * it in this environment; the others are reached through their agents, or not at all without
 * `remote`. An Engine is created on first use and kept, whether its agent is connected or not.
 */
export function openEngines(
  local: Host,
  environment: NodeJS.ProcessEnv,
  remote?: Needs<'hosts' | 'registries'> & { reach: Reach },
  options: EnginesOptions = {},
): OpenEngines {
  const names = new Map<string, string>()
  const nameOf = (host: Host) => names.get(host.id) ?? host.name
  const { deadline, installation, controlPaths = [] } = options
  const ownOn = (hostId: string): OwnRecords | undefined =>
    installation && { hostId, isLocal: hostId === local.id, read: installation }
  const transport = transportFrom(environment)
  const own = dockerEngine({
    transport,
    host: () => nameOf(local),
    stacksDirectory: local.stacksDirectory,
    registries: remote?.registries,
    deadline,
    own: ownOn(local.id),
    controlPaths: [...controlPaths, ...('socketPath' in transport ? [transport.socketPath] : [])],
  })
  const others = new Map<string, DockerEngine>()
  const make = (host: Host, reach: Reach) => {
    const agent = hostAgent(() =>
      reach(host.id).catch((cause) => {
        throw internalError(`host ${nameOf(host)}: ${cause.message}`, { cause })
      }),
    )
    const engine = dockerEngine({
      transport: { agent },
      host: () => nameOf(host),
      stacksDirectory: host.stacksDirectory,
      registries: remote?.registries,
      deadline,
      own: ownOn(host.id),
      controlPaths,
    })
    return {
      ...engine,
      async close() {
        await engine.close()
        agent.destroy()
      },
    }
  }
  /** Engines are kept, so their messages get the name that the host has now. */
  const find = async (hostId: string) => {
    const host = await remote?.hosts.find(hostId)
    if (host) names.set(hostId, host.name)
    return host
  }
  return {
    async on(hostId) {
      if (hostId === local.id) {
        // The Engine of this machine must work while the store does not answer.
        ignoreResult(find(hostId), 'read the name of the local host')
        return own
      }
      const host = await find(hostId)
      if (!remote || !host?.agent) throw noSuchHost(hostId)
      if (host.agent.state === 'revoked')
        throw internalError(`host ${host.name}: it was revoked`, { reason: 'host-revoked' })
      if (host.agent.state === 'pending')
        throw internalError(`host ${host.name}: its agent has never connected`, {
          reason: 'host-offline',
        })
      const engine = others.get(hostId) ?? make(host, remote.reach)
      others.set(hostId, engine)
      return engine
    },
    async close() {
      await Promise.all([own, ...others.values()].map((engine) => engine.close()))
    },
  }
}
