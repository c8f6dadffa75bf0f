import { conflict, internalError } from '../../functions/core/errors.ts'
import { noSuchHost } from '../../functions/core/hosts/target.ts'
import type { AgentPrograms } from '../../functions/core/ports/agent-programs.ts'
import type { Engines } from '../../functions/core/ports/engines.ts'
import type { HostGauges } from '../../functions/core/ports/host-gauges.ts'
import type { Needs } from '../../functions/core/ports/ports.ts'
import type { ServiceUpgrades } from '../../functions/core/ports/service-upgrades.ts'

/**
 * Returns the Engines as functions see them: each host is offline, because only a sidecar holds the
 * connections to hosts.
 */
export function offlineEngines({ hosts }: Needs<'hosts'>): {
  engines: Engines
  hostGauges: HostGauges
  agentPrograms: AgentPrograms
  serviceUpgrades: ServiceUpgrades
} {
  const refuse = async (hostId: string) => {
    const host = await hosts.find(hostId)
    if (!host) throw noSuchHost(hostId)
    throw internalError(`host ${host.name}: it cannot be reached from cloud functions`, {
      reason: 'host-offline',
    })
  }
  return {
    engines: { on: refuse },
    hostGauges: { read: refuse },
    agentPrograms: { replace: refuse },
    serviceUpgrades: {
      async start() {
        throw conflict('cloud functions run in no container: deploy their new version instead')
      },
      last: async () => undefined,
      openSince: async () => undefined,
      async tidy() {},
    },
  }
}
