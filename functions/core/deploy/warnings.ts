import { ownEntry } from '../../compose/lookup.ts'
import { rulesOf } from '../records/deployment-kinds.ts'
import type { ServiceExpectation, StackRecord } from '../records/stack.ts'
import type { DeploymentRequest } from './request.ts'

const shownMax = 100
const charactersMax = 500

/**
 * Returns the warnings to record for a deployment: without duplicates, and limited in number and
 * length.
 */
export function warningsOf(...sources: readonly (readonly string[])[]): string[] {
  const texts = new Set(sources.flat().map((text) => text.slice(0, charactersMax)))
  if (texts.size <= shownMax) return [...texts]
  const left = texts.size - shownMax + 1
  return [...[...texts].slice(0, shownMax - 1), `${left} more warnings are not shown`]
}

/** Returns a warning if a deploy leaves out the overlay that the last one applied. */
export function environmentWarning(request: DeploymentRequest): string[] {
  const { stack, environment } = request
  if (rulesOf(request).revision !== 'newest' || environment !== null || stack.environment === null)
    return []
  return [
    `The last deploy used the environment ${stack.environment}. This one names none, so ` +
      `compose.${stack.environment}.yaml is not applied.`,
  ]
}

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
