import {
  type Fields,
  listAt,
  numberAt,
  objectsAt,
  present,
  shown,
  textAt,
  textsAt,
  unlessEmpty,
  unlessNone,
} from './fields.ts'
import type { Part } from './inspection.ts'

/** Returns the limits and devices of a container. */
export function resourcesPart(hostConfig: Fields): Part {
  const requests = objectsAt(hostConfig, 'DeviceRequests').map(deviceRequest)
  const named = requests.flatMap(({ names = [] }) => names)
  const reserved = requests.flatMap(({ device }) => device ?? [])
  const memory = size(numberAt(hostConfig, 'MemoryReservation'))
  return {
    fields: present({
      cpus: cpus(numberAt(hostConfig, 'NanoCpus')),
      mem_limit: size(numberAt(hostConfig, 'Memory')),
      mem_reservation: reserved.length === 0 ? memory : undefined,
      memswap_limit: swap(hostConfig),
      mem_swappiness: swappiness(hostConfig.MemorySwappiness),
      ulimits: ulimits(hostConfig),
      blkio_config: blockIo(hostConfig),
      devices: unlessNone([...devices(hostConfig), ...named]),
      gpus: requests.find(({ gpus }) => gpus !== undefined)?.gpus,
      // Both places for the memory may not be used at once.
      deploy:
        reserved.length > 0
          ? { resources: { reservations: present({ memory, devices: reserved }) } }
          : undefined,
    }),
    left: [
      ...requests.flatMap(({ left }) => left ?? []),
      ...(hostConfig.MemorySwappiness === 0
        ? ['HostConfig.MemorySwappiness: docker compose ignores a mem_swappiness of 0']
        : []),
    ],
  }
}

const cpus = (nano: number) => (nano === 0 ? undefined : nano / 1e9)

/** Returns a size in the largest unit that divides it. */
export function size(bytes: number): string | number | undefined {
  if (bytes === 0) return undefined
  const units: [number, string][] = [
    [1024 ** 3, 'g'],
    [1024 ** 2, 'm'],
    [1024, 'k'],
  ]
  const unit = units.find(([one]) => bytes > 0 && bytes % one === 0)
  return unit ? `${bytes / unit[0]}${unit[1]}` : bytes
}

/** By default, memory and swap together are twice the memory. */
function swap(hostConfig: Fields): string | number | undefined {
  const [memory, both] = [numberAt(hostConfig, 'Memory'), numberAt(hostConfig, 'MemorySwap')]
  return both === 2 * memory ? undefined : size(both)
}

/** Without a choice it is null or -1. */
const swappiness = (value: unknown) => (typeof value === 'number' && value > 0 ? value : undefined)

function ulimits(hostConfig: Fields): Fields | undefined {
  const entries = objectsAt(hostConfig, 'Ulimits').map((one): [string, unknown] => {
    const [soft, hard] = [numberAt(one, 'Soft'), numberAt(one, 'Hard')]
    return [textAt(one, 'Name'), soft === hard ? soft : { soft, hard }]
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

function blockIo(hostConfig: Fields): Fields | undefined {
  const throttled = (key: string) =>
    unlessNone(
      objectsAt(hostConfig, key).map((one) => ({
        path: textAt(one, 'Path'),
        rate: numberAt(one, 'Rate'),
      })),
    )
  const weights = objectsAt(hostConfig, 'BlkioWeightDevice').map((one) => ({
    path: textAt(one, 'Path'),
    weight: numberAt(one, 'Weight'),
  }))
  return unlessEmpty({
    weight: numberAt(hostConfig, 'BlkioWeight') || undefined,
    weight_device: unlessNone(weights),
    device_read_bps: throttled('BlkioDeviceReadBps'),
    device_read_iops: throttled('BlkioDeviceReadIOps'),
    device_write_bps: throttled('BlkioDeviceWriteBps'),
    device_write_iops: throttled('BlkioDeviceWriteIOps'),
  })
}

const devices = (hostConfig: Fields): string[] =>
  objectsAt(hostConfig, 'Devices').map((one) => {
    const [source, target] = [textAt(one, 'PathOnHost'), textAt(one, 'PathInContainer')]
    const rights = textAt(one, 'CgroupPermissions') || 'rwm'
    if (rights !== 'rwm') return `${source}:${target}:${rights}`
    return source === target ? source : `${source}:${target}`
  })

/** A request for devices in one of the three places that a service has for it. */
interface DeviceRequest {
  /** Names of the Container Device Interface. */
  names?: readonly string[]
  gpus?: unknown
  device?: Fields
  left?: string
}

function deviceRequest(request: Fields): DeviceRequest {
  const { Capabilities } = request
  const sets = Array.isArray(Capabilities) ? Capabilities : []
  const driver = textAt(request, 'Driver')
  const ids = listAt(request, 'DeviceIDs')
  if (driver === 'cdi') return { names: ids }
  const [first] = sets
  if (sets.length !== 1 || !Array.isArray(first)) {
    return { left: `HostConfig.DeviceRequests ${shown(request)}: a compose file cannot say it` }
  }
  const capabilities = first.map(String)
  const count = numberAt(request, 'Count')
  const device = present({
    driver: driver || undefined,
    count: count === -1 ? 'all' : count || undefined,
    device_ids: unlessNone(ids),
    capabilities,
    options: unlessEmpty(Object.fromEntries(textsAt(request, 'Options'))),
  })
  const isPlain = Object.keys(device).join() === 'count,capabilities'
  return isPlain && count === -1 && capabilities.join() === 'gpu' ? { gpus: 'all' } : { device }
}
