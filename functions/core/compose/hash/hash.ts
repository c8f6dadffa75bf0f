import { createHash } from 'node:crypto'
import type { NetworkConfig, VolumeConfig } from '../project.ts'
import type { Service } from '../service.ts'
import type { VolumeMount } from '../service-parts.ts'
import { forms226, preimage226 } from './hash-226.ts'
import { object } from './hash-fields.ts'
import { networkFields, serviceFields, volumeFields } from './hash-service.ts'

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
 * Hashes under which a container counts as made from this service: the current form and those of Compose 2.26, where it mattered
 * in which of its forms a bind or a mode was written (see `forms226`).
 */
export function acceptedHashes(service: Service): Set<string> {
  return new Set([preimage(service), ...forms226(service).map(preimage226)].map(sha256))
}

/** True when a container with that hash counts as made from this service. */
export function acceptsHash(service: Service, hash: string): boolean {
  return hash === configHash(service) || acceptedHashes(service).has(hash)
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

function withImpliedHostPath(mount: VolumeMount): unknown {
  if (!mount.bind) return mount
  const { create_host_path, ...bind } = mount.bind
  return { ...mount, bind: create_host_path === false ? { ...bind, create_host_path } : bind }
}
