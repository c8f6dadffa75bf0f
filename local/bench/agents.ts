import { agentFleet } from './agent-fleet.ts'
import { agentTransport } from './agent-transport.ts'
import { buildService } from './service.ts'

/** What lies behind an agent beside what lies on this machine, and what many agents cost. */
export async function agentsBench(): Promise<string> {
  buildService()
  const transport = await agentTransport()
  return [transport, await agentFleet()].join('\n\n')
}
