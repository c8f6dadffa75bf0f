import type { DeploymentRequest } from './request.ts'

/** Returns a warning if a deploy leaves out the overlay that the last one applied. */
export function environmentWarning({ kind, stack, environment }: DeploymentRequest): string[] {
  if (kind !== 'deploy' || environment !== null || stack.environment === null) return []
  return [
    `The last deploy used the environment ${stack.environment}. This one names none, so ` +
      `compose.${stack.environment}.yaml is not applied.`,
  ]
}
