import { networkOf, ownEntry, serviceOf } from '../lookup.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import type { EngineBody } from '../step.ts'
import { links, networkKeys } from './endpoints.ts'
import { type Inherited, mountsBody, tmpfsBody } from './mounts.ts'
import { portBindings } from './ports.ts'
import { bytes } from './quantities.ts'
import { resourcesBody } from './resources.ts'
import { securityBody } from './security.ts'

/**
 * Returns the host configuration of a container. References to other services remain as
 * `service:x`.
 */
export function hostConfig(
  project: Project,
  container: { service: string; number: number; inherited: Inherited },
): EngineBody {
  const service = serviceOf(project, container.service)
  return {
    ...mountsBody(project, service, container.inherited),
    ...resourcesBody(service),
    ...securityBody(project, service),
    ...namespacesBody(project, service),
    Links: service.network_mode === 'bridge' ? links(project, container) : undefined,
    Annotations: service.annotations,
    Init: service.init,
    RestartPolicy: restartPolicy(service),
    ShmSize: bytes(service.shm_size),
    Sysctls: service.sysctls,
    StorageOpt: service.storage_opt,
    VolumeDriver: service.volume_driver,
    VolumesFrom: service.volumes_from?.map((source) => source.replace(/^container:/, '')),
    PortBindings: portBindings(service),
    Dns: service.dns,
    DnsSearch: service.dns_search,
    DnsOptions: service.dns_opt,
    ExtraHosts: (service.extra_hosts ?? []).map((entry) => entry.replace('=', ':')),
    Tmpfs: tmpfsBody(service),
    Runtime: service.runtime,
    LogConfig: service.logging && {
      Type: service.logging.driver ?? '',
      Config: service.logging.options ?? {},
    },
    GroupAdd: service.group_add,
    OomScoreAdj: service.oom_score_adj,
  }
}

/** Returns whether the Engine starts the container again even if it ended well. */
export const restartsAfterSuccess = (service: Service): boolean =>
  ['always', 'unless-stopped'].includes(String(restartPolicy(service)?.Name))

const restartNames: Record<string, string> = {
  none: 'no',
  no: 'no',
  any: 'always',
  always: 'always',
  'on-failure': 'on-failure',
  'unless-stopped': 'unless-stopped',
}

function restartPolicy(service: Service): EngineBody | undefined {
  const policy = service.deploy?.restart_policy
  if (policy) {
    return {
      // Without a condition docker compose does not restart, contrary to the specification.
      Name: ownEntry(restartNames, policy.condition ?? '') ?? policy.condition ?? '',
      MaximumRetryCount: policy.max_attempts ?? 0,
    }
  }
  if (!service.restart) return undefined
  const [name = '', attempts] = service.restart.split(':')
  return { Name: ownEntry(restartNames, name) ?? name, MaximumRetryCount: Number(attempts ?? 0) }
}

function namespacesBody(project: Project, service: Service): EngineBody {
  const [first] = networkKeys(service)
  const network = first === undefined ? 'none' : networkOf(project, first).name
  return {
    NetworkMode: service.network_mode ?? network,
    IpcMode: service.ipc,
    PidMode: service.pid,
    UTSMode: service.uts,
    UsernsMode: service.userns_mode,
    CgroupnsMode: service.cgroup,
    Isolation: service.isolation,
  }
}
