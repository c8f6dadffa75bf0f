import { createHash } from 'node:crypto'
import { boundedText } from '../../../functions/core/bounded-text.ts'
import { internalError } from '../../../functions/core/errors.ts'
import type { AgentPrograms } from '../../../functions/core/ports/agent-programs.ts'
import type { Reach } from './reach.ts'

/** Milliseconds for an agent to take its program, on a slow line too. */
const sendTime = 3 * 60_000
/** Bytes of the reason that an agent gives. */
const reasonMax = 4096

/** Sends programs to agents, through the process that each is connected to. */
export const agentPrograms = (reach: Reach): AgentPrograms => ({
  async replace(hostId, program) {
    const socket = await reach(hostId, 'program')
    const late = setTimeout(() => socket.destroy(new Error('it takes too long')), sendTime)
    try {
      const digest = createHash('sha256').update(program).digest('hex')
      socket.end(`${digest}\n${program}`)
      const said = await boundedText(socket, reasonMax, 'the response of the agent is too long')
      const problem = said.replace(/\p{C}/gu, ' ').trim()
      if (problem !== '') throw internalError(`its agent refuses it: ${problem}`)
    } finally {
      clearTimeout(late)
      socket.destroy()
    }
  },
})
