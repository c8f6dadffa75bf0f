import { ownEntry } from '../../compose/lookup.ts'
import type { ServiceExpectation, StackRecord } from '../records/stack.ts'

/** A service whose number of containers a deploy resets. */
export interface ScaleReset {
  service: string
  text: string
}

/**
 * Returns the services that users scaled and that a deploy sets to what the files say.
 *
 * @param expected what the files say of the services that the deploy is about
 * @param scaled the number of containers that the deploy sets: service → number
 */
export function scaleResets(
  { verbs = {} }: Pick<StackRecord, 'verbs'>,
  expected: Readonly<Record<string, ServiceExpectation>>,
  scaled: Readonly<Record<string, number>> = {},
): ScaleReset[] {
  return Object.entries(verbs).flatMap(([service, { replicas, by }]) => {
    if (Object.hasOwn(scaled, service)) return []
    const inFile = ownEntry(expected, service)
    if (replicas === undefined || !inFile || inFile.containers === replicas) return []
    const text = `service ${service} was scaled to ${replicas} by ${by}; a deploy sets it to ${inFile.containers}, as in the compose file`
    return [{ service, text }]
  })
}
