import type { Reach } from '../../compose/project.ts'
import { imageName } from '../../compose/reference/image-name.ts'
import { refusedByPolicy } from '../errors.ts'

/**
 * What begins with this on a host is the service's, as its own compose file and the printed start
 * command of an agent name it: another thing that has such a name would be run, or get a key.
 */
const prefix = 'container-stacks'

/** Returns whether a volume, network, container or stack of this name can be the service's. */
export const isReserved = (name: string): boolean => name.replace(/^\/+/, '').startsWith(prefix)

/** Returns whether an image of this name, in any registry, can be the service's. */
export const isReservedImage = (reference: string): boolean =>
  imageName(reference).repository.split('/').slice(1).some(isReserved)

/** Why a reserved name is refused, and what the caller can do. */
export const reservedText = (subject: string): string =>
  `${subject}: names that begin with ${prefix} are for the service itself: choose another name, or ` +
  'use the permission stacks:privileged'

/** @throws 403 if a stack must not have this name */
export function refuseReservedStack(name: string, reach: Reach): void {
  if (reach !== 'host' && isReserved(name)) throw refusedByPolicy(reservedText(`stack ${name}`))
}
