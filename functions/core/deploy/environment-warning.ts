import { rulesOf } from '../records/deployment-kinds.ts'
import type { DeploymentRequest } from './request.ts'

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
