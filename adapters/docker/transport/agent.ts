import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { inspect } from 'node:util'

/**
 * Returns a keep-alive agent. The Engine client formats its request options at full depth before
 * each call, which would walk the agent's whole graph of sockets; so the agent has a short format.
 */
export function keepAliveAgent(protocol: 'http' | 'https'): Agent {
  const options = { keepAlive: true, maxFreeSockets: 32, scheduling: 'lifo' } as const
  return withShortInspect(protocol === 'https' ? new SecureAgent(options) : new Agent(options))
}

/** Returns the same agent. `util.inspect` shows it as one word. */
export function withShortInspect<T extends object>(agent: T): T {
  if (!Object.hasOwn(agent, inspect.custom)) {
    Object.defineProperty(agent, inspect.custom, { value: () => '[Agent]', enumerable: false })
  }
  return agent
}
