import type { Fields } from './fields.ts'

/** A container as the Engine shows it, with what its image and the Engine give it. */
export interface ContainerInspection {
  id: string
  /** Without the slash that the Engine puts before it. */
  name: string
  /** The Engine's `Config`, unchanged. */
  config: Fields
  /** The Engine's `HostConfig`, unchanged. */
  hostConfig: Fields
  /** Name of the network → its endpoint, as in the Engine's `NetworkSettings.Networks`. */
  networks: Readonly<Record<string, Fields>>
  /** All mounts, however they were declared. */
  mounts: readonly InspectedMount[]
  /** The id of the image that it was created from. */
  imageId: string
  /** The `Config` of that image; undefined if the image is gone. */
  imageConfig: Fields | undefined
  /** Whether the name of its image belongs to another image now. */
  isImageMoved: boolean
  engine: EngineDefaults
}

/** A mount as inspected. `name` is that of the volume; empty for other types. */
export interface InspectedMount {
  type: string
  name: string
  source: string
  destination: string
}

/** What an Engine gives to containers that do not choose. */
export interface EngineDefaults {
  /** The name of its machine, which containers in the network of the host have. */
  hostName: string
  logDriver: string
  runtime: string
  /** `1` or `2`. With 1, containers are in the cgroup namespace of the host by default. */
  cgroupVersion: string
}

/** A part of a service. */
export interface Part {
  /** Attributes of the service, by name. */
  fields: Fields
  /** What a compose file cannot say, each as a line. */
  left: readonly string[]
}
