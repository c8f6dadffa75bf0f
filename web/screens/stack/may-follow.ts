import { can, hasEveryHost } from '../../data/session.ts'

const rights = ['stacks:update', 'stacks:deploy', 'registries:manage']

/** Returns whether the user may let stacks follow sources. */
export const mayFollow = (): boolean => hasEveryHost() && rights.every((right) => can(right))
