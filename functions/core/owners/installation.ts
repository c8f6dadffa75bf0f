import { isInside } from '../../compose/policy/resource-reach.ts'
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

/** Returns a path of the installation that a directory of the host is in, or has in it. */
export const ownDirectoryAt = (
  path: string,
  { directories }: Pick<Installation, 'directories'>,
): string | undefined => directories.find((own) => isInside(own, path) || isInside(path, own))

/** What belongs to the service on a host where it has nothing. */
export const noInstallation: Installation = {
  containers: new Map(),
  volumes: new Set(),
  networks: new Set(),
  storeNetworks: new Set(),
  joined: new Map(),
  images: new Set(),
  directories: [],
  projects: new Set(),
  stacks: new Set(),
}
