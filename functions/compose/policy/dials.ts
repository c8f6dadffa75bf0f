import type { BoundModel, NetworkConfig, VolumeConfig } from '../project.ts'
import type { Service } from '../service.ts'
import type { Path } from '../yaml/tree.ts'
import { buildDials } from './build-dials.ts'
import { type Dial, registryDial } from './dial.ts'

/** The parts of a model that can make the Engine dial. */
export type DialingModel = Pick<
  BoundModel,
  'networks' | 'volumes' | 'secrets' | 'configs' | 'models'
>

/**
 * Yields everything that the Engine or its builder will dial for a project, permitted or not.
 * Leaves out what Dockerfiles name (see `dockerfileImages`), what containers dial themselves
 * (commands, health checks, `dns` and `extra_hosts`; the Engine queries `dns` servers from inside
 * the network of the container), and `models`, which a deploy always refuses.
 */
export function* dials(
  model: DialingModel,
  services: readonly Record<string, Service>[],
): Generator<Dial> {
  for (const [name, service] of services.flatMap((group) => Object.entries(group))) {
    yield* serviceDials(service, ['services', name])
  }
  for (const [key, network] of Object.entries(model.networks)) {
    yield* networkDials(network, ['networks', key])
  }
  for (const [key, volume] of Object.entries(model.volumes)) {
    yield* volumeDials(volume, ['volumes', key])
  }
  for (const kind of ['secrets', 'configs'] as const) {
    for (const [key, object] of Object.entries(model[kind])) {
      for (const name of ['driver', 'template_driver'] as const) {
        if (object[name]) yield { kind: 'plugin', target: object[name], path: [kind, key, name] }
      }
    }
  }
}

function* serviceDials(service: Service, at: Path): Generator<Dial> {
  // An image with a `build` is never pulled.
  if (service.image !== undefined && !service.build) {
    yield registryDial(service.image, [...at, 'image'])
  }
  if (service.build) yield* buildDials(service.build, [...at, 'build'])
  for (const [index, { type, source, target }] of (service.volumes ?? []).entries()) {
    if (type !== 'image' || source === undefined) continue
    yield { ...registryDial(source, [...at, 'volumes', index]), near: target }
  }
  for (const kind of ['pre_start', 'post_start', 'pre_stop'] as const) {
    for (const [index, { image }] of (service[kind] ?? []).entries()) {
      if (image !== undefined) yield registryDial(image, [...at, kind, index, 'image'])
    }
  }
  yield* logDials(service, [...at, 'logging'])
  if (service.volume_driver && service.volume_driver !== 'local') {
    yield { kind: 'plugin', target: service.volume_driver, path: [...at, 'volume_driver'] }
  }
  if (service.credential_spec) {
    const [target = ''] = Object.values(service.credential_spec)
    yield { kind: 'credential spec', target, path: [...at, 'credential_spec'] }
  }
  if (service.provider) {
    yield { kind: 'provider', target: service.provider.type ?? '', path: [...at, 'provider'] }
  }
}

/**
 * Options count even without a driver because the Engine merges them into those of its default
 * driver.
 */
function* logDials({ logging }: Service, at: Path): Generator<Dial> {
  for (const target of Object.keys(logging?.options ?? {})) {
    yield { kind: 'log option', target, path: [...at, 'options', target] }
  }
  if (logging?.driver) {
    yield { kind: 'log driver', target: logging.driver, path: [...at, 'driver'] }
  }
}

const localNetworkDrivers = new Set(['', 'default', 'bridge', 'overlay', 'null', 'none'])
const localIpamDrivers = new Set(['', 'default', 'null'])

function* networkDials({ driver = '', ipam }: NetworkConfig, at: Path): Generator<Dial> {
  if (!localNetworkDrivers.has(driver)) {
    yield { kind: 'plugin', target: driver, path: [...at, 'driver'] }
  }
  const { driver: ipamDriver = '' } = ipam
  if (!localIpamDrivers.has(ipamDriver)) {
    yield { kind: 'plugin', target: ipamDriver, path: [...at, 'ipam', 'driver'] }
  }
}

/** File systems without a network address. `volumeReach` checks whether they expose the host. */
const localFileSystems = new Set(['', 'none', 'bind', 'tmpfs'])

function* volumeDials(volume: VolumeConfig, at: Path): Generator<Dial> {
  const { driver = 'local', driver_opts: options = {} } = volume
  if (driver !== 'local') yield { kind: 'plugin', target: driver, path: [...at, 'driver'] }
  const { type = '', o = '', device = '' } = options
  if (localFileSystems.has(type) && !/(^|,)\s*(addr|ip)=/.test(o)) return
  const path = [...at, 'driver_opts', 'device' in options ? 'device' : 'type']
  yield { kind: 'network file system', target: `${type} ${device}`.trim(), path }
}
