import { agentFleet } from './agent-fleet.ts'
import { agentLongLine } from './agent-long-line.ts'
import { agentSlowLine } from './agent-slow-line.ts'
import { agentTransport } from './agent-transport.ts'
import { buildService } from './service.ts'

/** Compares a host behind an agent with this machine, and measures what many agents cost. */
export async function agentsBench(): Promise<string> {
  buildService()
  const transport = await agentTransport()
  return [transport, await agentSlowLine(), await agentLongLine(), await agentFleet()].join('\n\n')
}
