import { createHash } from 'node:crypto'
import type { NetworkConfig, VolumeConfig } from '../project.ts'
import type { Service } from '../service.ts'
import type { VolumeMount } from '../service-parts.ts'
import { object } from './hash-fields.ts'
import { networkFields, serviceFields, serviceFields226, volumeFields } from './hash-service.ts'

/**
 * The config hash that is written on a container: SHA-256, hex, over the service without what does not shape a container
 * (build, pull policy, scale, replicas, dependencies, profiles). The form is that of current docker compose.
 */
export function configHash(service: Service): string {
  return sha256(preimage(service))
}

/** The JSON text that `configHash` is taken over. */
export function preimage(service: Service): string {
  const { profiles: _, depends_on: __, ...rest } = service
  return object(serviceFields, {
    ...rest,
    volumes: service.volumes?.map(withImpliedHostPath),
  })
}

/**
 * Hashes under which a container counts as made from this service: the current form and those of Compose 2.26, where a
 * bind in the long form with options of its own did not say that its host path is created, and one in the short form did.
 */
export function acceptedHashes(service: Service): Set<string> {
  const hashes = [preimage(service), preimage226(service, withSaidHostPath)]
  if (service.volumes?.some(hasBindOptions)) hashes.push(preimage226(service, withoutInLongForm))
  return new Set(hashes.map(sha256))
}

/** The hash recorded on a network. */
export function networkHash(network: NetworkConfig): string {
  return sha256(object(networkFields, network))
}

/** The hash recorded on a volume. */
export function volumeHash(volume: VolumeConfig): string {
  return sha256(object(volumeFields, { ...volume, driver: volume.driver || 'local' }))
}

/** SHA-256, hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The form of 2.26: with dependencies and profiles, host paths created by saying so, modes as numbers. */
function preimage226(service: Service, withHostPath: (mount: VolumeMount) => unknown): string {
  return object(serviceFields226, {
    ...service,
    volumes: service.volumes?.map(withHostPath),
    secrets: service.secrets?.map(withNumericMode),
    configs: service.configs?.map(withNumericMode),
  })
}

function withImpliedHostPath(mount: VolumeMount): unknown {
  if (!mount.bind) return mount
  const { create_host_path, ...bind } = mount.bind
  return { ...mount, bind: create_host_path === false ? { ...bind, create_host_path } : bind }
}

function withSaidHostPath(mount: VolumeMount): unknown {
  if (!mount.bind) return mount
  const { create_host_path, ...bind } = mount.bind
  return { ...mount, bind: create_host_path === false ? bind : { ...bind, create_host_path: true } }
}

const hasBindOptions = ({ bind }: VolumeMount) =>
  bind !== undefined && (bind.propagation ?? bind.selinux ?? bind.recursive) !== undefined

function withoutInLongForm(mount: VolumeMount): unknown {
  if (!hasBindOptions(mount)) return withSaidHostPath(mount)
  const { create_host_path: _, ...bind } = mount.bind ?? {}
  return { ...mount, bind }
}

function withNumericMode<T extends { mode?: string }>(reference: T): unknown {
  return reference.mode === undefined
    ? reference
    : { ...reference, mode: Number.parseInt(reference.mode, 8) }
}
