import { createHash } from 'node:crypto'
import type { NetworkConfig, VolumeConfig } from '../project.ts'
import type { Service } from '../service.ts'
import type { VolumeMount } from '../service-parts.ts'
import { forms226, preimage226 } from './hash-226.ts'
import { object } from './hash-fields.ts'
import { networkFields, serviceFields, volumeFields } from './hash-service.ts'

/**
 * Returns the config hash that is recorded on a container: SHA-256, in hex, of the service without
 * the attributes that do not shape a container (build, pull policy, scale, replicas, dependencies,
 * profiles). The format is that of current docker compose.
 */
export function configHash(service: Service): string {
  return sha256(preimage(service))
}

/** Returns the JSON text that `configHash` hashes. */
export const preimage = (service: Service): string => object(serviceFields, hashedForm(service))

/** Returns a service as it is hashed: without what does not shape a container. */
export function hashedForm(service: Service): Record<string, unknown> {
  const { profiles: _, depends_on: __, ...rest } = service
  return { ...rest, volumes: service.volumes?.map(withImpliedHostPath) }
}

/**
 * Returns the hashes of containers that match this service: the current one, and those of Compose
 * 2.26, in which the written form of binds and modes mattered (see `forms226`).
 */
export function acceptedHashes(service: Service): Set<string> {
  return new Set([preimage(service), ...forms226(service).map(preimage226)].map(sha256))
}

/** Returns whether a container with this hash matches the service. */
export function acceptsHash(service: Service, hash: string): boolean {
  return hash === configHash(service) || acceptedHashes(service).has(hash)
}

/** Returns the hash to record on a network. */
export function networkHash(network: NetworkConfig): string {
  return sha256(object(networkFields, network))
}

/** Returns the hash to record on a volume. */
export function volumeHash(volume: VolumeConfig): string {
  return sha256(object(volumeFields, { ...volume, driver: volume.driver || 'local' }))
}

/** Returns the SHA-256 of a text, in hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function withImpliedHostPath(mount: VolumeMount): unknown {
  if (!mount.bind) return mount
  const { create_host_path, ...bind } = mount.bind
  return { ...mount, bind: create_host_path === false ? { ...bind, create_host_path } : bind }
}
