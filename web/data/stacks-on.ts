import type { HostId } from '../host-ids.ts'
import type { components } from './api.types.ts'

type Placed = Pick<components['schemas']['Stack'], 'name' | 'host'>

/** Returns the names of the stacks that are placed on a host. */
export const stacksOn = (host: HostId, stacks: readonly Placed[] = []): string[] =>
  stacks.filter((stack) => stack.host === host).map(({ name }) => name)
