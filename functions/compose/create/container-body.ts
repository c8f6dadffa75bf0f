import { networkOf, ownEntry, serviceOf } from '../lookup.ts'
import type { Project } from '../project.ts'
import type { EngineBody } from '../step.ts'
import { endpoint, networkKeys } from './endpoints.ts'
import { healthCheckBody } from './health-check.ts'
import { hostConfig } from './host-config.ts'
import { containerLabels } from './labels.ts'
import type { Inherited } from './mounts.ts'
import { exposedPorts } from './ports.ts'
import { seconds } from './quantities.ts'

/** A container to create. */
export interface ContainerDraft {
  service: string
  number: number
  image: string
  hash: string
  /** See `configContents`. */
  contents?: string
  /** The name of the container that it replaces. */
  replaces?: string
  inherited: Inherited
  /**
   * Whether the Engine accepts all networks in the create call (API 1.44 and later). Otherwise
   * `connect` steps add all but the first.
   */
  allNetworks: boolean
}

/**
 * Returns the body of the create call. Attributes that are not set are left to the Engine and the
 * image.
 */
export function containerBody(project: Project, draft: ContainerDraft): EngineBody {
  const service = serviceOf(project, draft.service)
  const keys = networkKeys(service)
  const own = draft.allNetworks ? keys : keys.slice(0, 1)
  const first = keys[0] === undefined ? undefined : ownEntry(service.networks, keys[0])
  return compact({
    Image: draft.image,
    Hostname: service.hostname,
    Domainname: service.domainname,
    User: service.user,
    Cmd: service.command ?? undefined,
    Entrypoint: service.entrypoint ?? undefined,
    Env: environment(service.environment),
    WorkingDir: service.working_dir,
    Tty: service.tty,
    OpenStdin: service.stdin_open,
    AttachStdout: true,
    AttachStderr: true,
    ExposedPorts: exposedPorts(service),
    Healthcheck: healthCheckBody(service.healthcheck),
    StopSignal: service.stop_signal,
    StopTimeout: seconds(service.stop_grace_period),
    MacAddress: draft.allNetworks ? undefined : (service.mac_address ?? first?.mac_address),
    NetworkDisabled: service.network_mode === 'disabled' || undefined,
    Labels: containerLabels(project, draft),
    HostConfig: hostConfig(project, draft),
    NetworkingConfig:
      keys.length === 0
        ? undefined
        : {
            EndpointsConfig: Object.fromEntries(
              own.map((key) => [networkOf(project, key).name, ownEndpoint(project, key, draft)]),
            ),
          },
  })
}

/** Removes undefined values at every depth. */
export function compact(body: EngineBody): EngineBody {
  const entries = Object.entries(body).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([key, value]) => [key, compactValue(value)]))
}

function compactValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compactValue)
  return value !== null && typeof value === 'object' ? compact(value as EngineBody) : value
}

/** Since API 1.44 the service's `mac_address` belongs to its first network. */
function ownEndpoint(project: Project, key: string, draft: ContainerDraft): EngineBody {
  const service = serviceOf(project, draft.service)
  const body = endpoint(project, key, draft)
  const isFirst = key === networkKeys(service)[0]
  return draft.allNetworks && isFirst && service.mac_address && !body.MacAddress
    ? { ...body, MacAddress: service.mac_address }
    : body
}

/**
 * A variable with the value null is written as a bare name, which makes the Engine unset it even if
 * the image sets it.
 */
export function environment(
  variables: Record<string, string | null> | undefined,
): string[] | undefined {
  if (!variables) return undefined
  return Object.entries(variables).map(([name, value]) =>
    value === null ? name : `${name}=${value}`,
  )
}
