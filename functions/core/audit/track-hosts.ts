import type { Needs } from '../ports/ports.ts'

type Watched = Partial<Needs<'backupJobs' | 'backupRuns' | 'engines' | 'stacks'>>

/**
 * Returns ports that collect the IDs of the hosts that a request works on: those whose Engine it
 * uses, and those of stacks, backup jobs and runs that it reads or creates.
 */
export function trackHosts<P extends object>(ports: P, hosts: Set<string>): P {
  const { engines, stacks, backupJobs, backupRuns } = ports as Watched
  const noting: Watched = {}
  if (engines) {
    const on = (hostId: string) => {
      hosts.add(hostId)
      return engines.on(hostId)
    }
    noting.engines = { ...engines, on }
  }
  const note = <T extends { hostId: string } | undefined>(thing: T): T => {
    if (thing) hosts.add(thing.hostId)
    return thing
  }
  if (backupJobs) {
    noting.backupJobs = {
      ...backupJobs,
      find: async (id) => note(await backupJobs.find(id)),
      create: (job) => backupJobs.create(note(job)),
    }
  }
  if (backupRuns) {
    noting.backupRuns = { ...backupRuns, find: async (id) => note(await backupRuns.find(id)) }
  }
  if (stacks) {
    noting.stacks = {
      ...stacks,
      find: async (id) => note(await stacks.find(id)),
      create: (stack) => stacks.create(note(stack)),
    }
  }
  return { ...ports, ...noting }
}
