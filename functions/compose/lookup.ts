import { must } from './must.ts'
import type { NetworkConfig, Project, VolumeConfig } from './project.ts'
import type { Service } from './service.ts'

/** Returns a service of the project. */
export const serviceOf = ({ services }: Pick<Project, 'services'>, name: string): Service =>
  must(services[name], `service ${name}`)

/** Returns a network of the project. */
export const networkOf = ({ networks }: Pick<Project, 'networks'>, key: string): NetworkConfig =>
  must(networks[key], `network ${key}`)

/** Returns a volume of the project. */
export const volumeOf = ({ volumes }: Pick<Project, 'volumes'>, key: string): VolumeConfig =>
  must(volumes[key], `volume ${key}`)
