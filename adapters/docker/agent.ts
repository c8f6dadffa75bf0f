import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { inspect } from 'node:util'

/**
 * A keep-alive agent with as many sockets as there are calls at once. The Engine client prints its request options to the
 * last depth before each call: without a short form of its own, the agent's whole graph of sockets would be walked.
 */
export function keepAliveAgent(protocol: 'http' | 'https'): Agent {
  const options = { keepAlive: true, maxFreeSockets: 32, scheduling: 'lifo' } as const
  return quiet(protocol === 'https' ? new SecureAgent(options) : new Agent(options))
}

/** The same agent, printed in one word. */
export function quiet<T extends object>(agent: T): T {
  if (!Object.hasOwn(agent, inspect.custom)) {
    Object.defineProperty(agent, inspect.custom, { value: () => '[Agent]', enumerable: false })
  }
  return agent
}
