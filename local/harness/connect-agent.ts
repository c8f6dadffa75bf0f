import type { Needs } from '../../functions/core/ports/ports.ts'
import type { AgentFacts } from '../../functions/core/records/agent-protocol.ts'

/** Connects an agent of an earlier version that the service can upgrade, or another one. */
export async function connectAgent(
  hostId: string,
  { hostConnections, clock }: Needs<'hostConnections' | 'clock'>,
  facts: Partial<AgentFacts> = {},
): Promise<void> {
  const at = { processId: 'p', address: 'a:1', connectedAt: clock.now() }
  await hostConnections.beat('p', clock.now() + 3_600_000)
  const all = { version: '0.0.1', hostname: hostId, replaceable: true, ...facts }
  await hostConnections.claim({ hostId, ...at, facts: all })
}
