import type { Container } from '../../data/containers.ts'

export type Owned = Pick<Container, 'owner' | 'labels'>

/** Makes a container a part of the service that can still be stopped and removed. */
const addingLabel = 'container-stacks.installation'

/**
 * Returns whether the service refuses to change a container for every account: it is the service,
 * its store or an agent, or the version before an upgrade.
 */
export const isFixed = ({ owner, labels }: Owned): boolean =>
  owner === 'installation' && !Object.hasOwn(labels, addingLabel)
