import { ownEntry } from '../../compose/lookup.ts'
import type { ServiceExpectation, StackRecord } from '../records/stack.ts'
import type { ServiceVerb } from '../records/stack-state.ts'

/** Returns what the compose file says of a service; undefined if it does not have the service. */
export const expectationOf = (
  { services }: Pick<StackRecord, 'services'>,
  name: string,
): ServiceExpectation | undefined => ownEntry(services, name)

/** Returns what a user last did to a service. */
export const verbOf = (
  { verbs = {} }: Pick<StackRecord, 'verbs'>,
  name: string,
): ServiceVerb | undefined => ownEntry(verbs, name)

/** Returns how many containers a service of a deployed stack should have. */
export function expectedContainers(
  stack: Pick<StackRecord, 'services' | 'verbs'>,
  name: string,
): number {
  const inFile = expectationOf(stack, name)
  if (inFile?.inactive) return 0
  return verbOf(stack, name)?.replicas ?? inFile?.containers ?? 0
}
