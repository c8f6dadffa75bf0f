import type { DeviceRequest } from './service-parts.ts'

/**
 * The `deploy` attribute. An Engine without Swarm uses only replicas, resources and restart_policy.
 */
export interface Deploy {
  mode?: string
  replicas?: number
  labels?: Record<string, string>
  update_config?: UpdateConfig
  rollback_config?: UpdateConfig
  /** Always present, possibly empty; so is `placement`. */
  resources: { limits?: Resource; reservations?: Resource }
  restart_policy?: RestartPolicy
  placement: Placement
  endpoint_mode?: string
}

/** `memory` is in bytes. */
export interface Resource {
  cpus?: number
  memory?: string
  pids?: number
  devices?: DeviceRequest[]
  generic_resources?: { discrete_resource_spec?: { kind: string; value: number } }[]
}

export interface RestartPolicy {
  condition?: string
  delay?: string
  max_attempts?: number
  window?: string
}

export interface UpdateConfig {
  parallelism?: number
  delay?: string
  failure_action?: string
  monitor?: string
  max_failure_ratio?: number
  order?: string
}

export interface Placement {
  constraints?: string[]
  preferences?: { spread?: string }[]
  max_replicas_per_node?: number
}
