import type { ContainerInspection } from '../../../functions/compose/from-container/inspection.ts'
import { type EngineState, findImageId, type MemoryContainer, mountsOf } from './engine-state.ts'

type Fields = Record<string, unknown>

/** Returns all that is known of a container. Its image gives nothing but labels. */
export function inspectionOf(
  state: EngineState,
  { id, name, image, imageId, body, networks }: MemoryContainer,
): ContainerInspection {
  const { HostConfig = {}, NetworkingConfig = {}, ...config } = body
  const { EndpointsConfig = {} } = NetworkingConfig as { EndpointsConfig?: Record<string, Fields> }
  const endpoints = new Map(Object.entries(EndpointsConfig))
  const named = findImageId(state, image)
  return {
    id,
    name,
    config: { ...config, Image: image },
    hostConfig: { ...(HostConfig as Fields) },
    networks: Object.fromEntries(
      Object.entries(networks).map(([network, NetworkID]) => [
        network,
        { ...endpoints.get(network), NetworkID },
      ]),
    ),
    mounts: mountsOf(body).map((mount) => ({
      type: mount.type,
      name: mount.name,
      source: mount.source,
      destination: mount.destination,
    })),
    imageId,
    imageConfig: { Labels: state.imageLabels.get(imageId) ?? {} },
    isImageMoved: named !== undefined && named !== imageId,
    engine: { hostName: 'memory', logDriver: 'json-file', runtime: 'runc', cgroupVersion: '2' },
  }
}
