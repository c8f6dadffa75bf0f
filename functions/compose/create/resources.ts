import { compareBytes } from '../hash/hash-fields.ts'
import type { Service } from '../service.ts'
import type { BlkioConfig, DeviceRequest } from '../service-parts.ts'
import type { EngineBody } from '../step.ts'
import { bytes } from './quantities.ts'

/**
 * Returns the resource limits in the Engine's format. `deploy.resources` takes precedence over the
 * older attributes.
 */
export function resourcesBody(service: Service): EngineBody {
  const limits = service.deploy?.resources.limits
  const reservations = service.deploy?.resources.reservations
  const cpus = limits?.cpus ?? service.cpus
  return {
    Memory: bytes(limits?.memory ?? service.mem_limit),
    MemoryReservation: bytes(reservations?.memory ?? service.mem_reservation),
    MemorySwap: bytes(service.memswap_limit),
    MemorySwappiness: bytes(service.mem_swappiness),
    NanoCpus: cpus === undefined ? undefined : Math.round(cpus * 1e9),
    CpuCount: service.cpu_count,
    CpuPercent: service.cpu_percent,
    CpuPeriod: service.cpu_period,
    CpuQuota: service.cpu_quota,
    CpuRealtimePeriod: service.cpu_rt_period,
    CpuRealtimeRuntime: service.cpu_rt_runtime,
    CpuShares: service.cpu_shares,
    CpusetCpus: service.cpuset,
    PidsLimit: limits?.pids ?? service.pids_limit,
    OomKillDisable: service.oom_kill_disable,
    CgroupParent: service.cgroup_parent,
    DeviceCgroupRules: service.device_cgroup_rules,
    Devices: devices(service),
    DeviceRequests: deviceRequests(service),
    Ulimits: ulimits(service),
    ...blockIo(service.blkio_config),
  }
}

/** Returns whether a device is a CDI name such as `vendor.com/class=name` rather than a path. */
const isInterfaceDevice = (source: string | undefined) => /^[^/]+\/[^/=]+=.+$/.test(source ?? '')

function devices(service: Service): EngineBody[] | undefined {
  return service.devices
    ?.filter((device) => !isInterfaceDevice(device.source))
    .map((device) => ({
      PathOnHost: device.source,
      PathInContainer: device.target ?? device.source,
      CgroupPermissions: device.permissions ?? 'rwm',
    }))
}

function deviceRequests(service: Service): EngineBody[] | undefined {
  const named = (service.devices ?? []).map((device) => device.source).filter(isInterfaceDevice)
  const requests = [
    ...(service.deploy?.resources.reservations?.devices ?? []).map((request) =>
      deviceRequest(request, request.capabilities ?? []),
    ),
    ...(service.gpus ?? []).map((request) =>
      deviceRequest(request, [...new Set([...(request.capabilities ?? []), 'gpu'])]),
    ),
    ...(named.length > 0 ? [{ Driver: 'cdi', DeviceIDs: named }] : []),
  ]
  return requests.length > 0 ? requests : undefined
}

function deviceRequest(request: DeviceRequest, capabilities: string[]): EngineBody {
  return {
    Driver: request.driver,
    Count: request.count,
    DeviceIDs: request.device_ids,
    Capabilities: [capabilities],
    Options: request.options,
  }
}

function ulimits(service: Service): EngineBody[] | undefined {
  if (!service.ulimits) return undefined
  return Object.entries(service.ulimits)
    .sort(([left], [right]) => compareBytes(left, right))
    .map(([Name, limit]) =>
      typeof limit === 'number'
        ? { Name, Soft: limit, Hard: limit }
        : { Name, Soft: limit.soft ?? 0, Hard: limit.hard ?? 0 },
    )
}

function blockIo(config: BlkioConfig | undefined): EngineBody {
  if (!config) return {}
  const throttle = (list: { Path: string; Rate: string }[] | undefined) =>
    list?.map(({ Path, Rate }) => ({ Path, Rate: Number(Rate) }))
  return {
    BlkioWeight: config.weight,
    BlkioWeightDevice: config.weight_device,
    BlkioDeviceReadBps: throttle(config.device_read_bps),
    BlkioDeviceReadIOps: throttle(config.device_read_iops),
    BlkioDeviceWriteBps: throttle(config.device_write_bps),
    BlkioDeviceWriteIOps: throttle(config.device_write_iops),
  }
}
