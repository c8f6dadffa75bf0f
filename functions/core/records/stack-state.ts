/** The states of a service; `serviceState` has the rules. */
export const serviceStates = [
  'inactive',
  'starting',
  'failed',
  'restarting',
  'missing',
  'stopped',
  'paused',
  'completed',
  'unhealthy',
  'running',
  'partial',
] as const
export type ServiceState = (typeof serviceStates)[number]

/** The states of a stack. `status` in the API. */
export const stackStatuses = [
  'not_deployed',
  'deploying',
  'starting',
  'running',
  'partial',
  'paused',
  'stopped',
  'failed',
  'unknown',
] as const
export type StackStatus = (typeof stackStatuses)[number]

/**
 * What a user last did to a service, as far as its state depends on it. The next deploy of the
 * service clears it. `replicas` is the number of containers that a user set, and stays until then.
 */
export type ServiceVerb = { by: string; at: number } & (
  | { verb: 'stop' | 'pause'; replicas?: number }
  | { verb: 'scale'; replicas: number }
)
