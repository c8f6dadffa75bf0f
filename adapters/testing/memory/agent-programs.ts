import type { AgentPrograms } from '../../../functions/core/ports/agent-programs.ts'

/** Agents that take every program, with access for the test. */
export interface MemoryAgentPrograms extends AgentPrograms {
  /** The hosts whose agents got a program, in their order. */
  readonly sent: string[]
  /** Host → why its agent takes none. */
  readonly refusals: Map<string, Error>
}

/** Returns agents that take every program. */
export function memoryAgentPrograms(): MemoryAgentPrograms {
  const sent: string[] = []
  const refusals = new Map<string, Error>()
  return {
    sent,
    refusals,
    async replace(hostId) {
      const refusal = refusals.get(hostId)
      if (refusal) throw refusal
      sent.push(hostId)
    },
  }
}
