import type { Needs } from '../ports/ports.ts'
import type { Installation } from '../records/installation.ts'

export type { Installation }

/** Returns what belongs to the service itself on a host, as it was at most a second ago. */
export async function installationOn(
  hostId: string,
  { engines }: Needs<'engines'>,
): Promise<Installation> {
  return (await engines.on(hostId)).installation()
}

/** What belongs to the service on a host where it has nothing. */
export const noInstallation: Installation = {
  containers: new Map(),
  volumes: new Set(),
  networks: new Set(),
  joined: new Map(),
  images: new Set(),
  directories: [],
  projects: new Set(),
  stacks: new Set(),
}
