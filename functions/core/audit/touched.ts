import type { Needs } from '../ports.ts'

type Watched = Partial<Needs<'engines' | 'stacks'>>

/** The same ports, which note the hosts that are worked on: those whose Engine is asked for, and those of stacks. */
export function notingHosts<P extends object>(ports: P, hosts: Set<string>): P {
  const { engines, stacks } = ports as Watched
  const noting: Watched = {}
  if (engines) {
    const on = (hostId: string) => {
      hosts.add(hostId)
      return engines.on(hostId)
    }
    noting.engines = { ...engines, on }
  }
  if (stacks) {
    const note = <T extends { hostId: string } | undefined>(stack: T): T => {
      if (stack) hosts.add(stack.hostId)
      return stack
    }
    noting.stacks = {
      ...stacks,
      find: async (id) => note(await stacks.find(id)),
      create: (stack) => stacks.create(note(stack)),
    }
  }
  return { ...ports, ...noting }
}
