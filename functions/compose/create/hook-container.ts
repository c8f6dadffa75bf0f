import { networkOf, serviceOf } from '../lookup.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import type { Hook } from '../service-parts.ts'
import type { EngineBody } from '../step.ts'
import { compact, environment } from './container-body.ts'
import { networkKeys } from './endpoints.ts'
import { composeVersion, label } from './labels.ts'

/** A container that runs one `pre_start` command of a service. */
export interface HookDraft {
  service: string
  hook: Hook
  /** The position among the service's hooks, from 1. */
  number: number
  image: string
  hash: string
  /** The service's container that is about to start. The hook shares its volumes. */
  container: string
  /** Overrides the network mode of a service that joins another service's container. */
  networkMode?: string | undefined
  /** See `ContainerDraft`. */
  allNetworks: boolean
}

/**
 * Returns the body of the create call. The container has the environment, networks, hosts and
 * volumes of the service, and the image, command, user and directory of the hook. It has no aliases
 * of the service in the networks.
 */
export function hookContainerBody(project: Project, draft: HookDraft): EngineBody {
  const { hook } = draft
  const service = serviceOf(project, draft.service)
  const keys = networkKeys(service)
  const own = draft.allNetworks ? keys : keys.slice(0, 1)
  const first = keys[0] === undefined ? 'none' : networkOf(project, keys[0]).name
  return compact({
    Image: draft.image,
    Cmd: hook.command ?? undefined,
    Env: environment({ ...service.environment, ...hook.environment }),
    User: hook.user ?? (hook.image === undefined ? service.user : undefined),
    WorkingDir: hook.working_dir ?? (hook.image === undefined ? service.working_dir : undefined),
    AttachStdout: true,
    AttachStderr: true,
    Labels: hookLabels(project, draft, service),
    HostConfig: {
      Privileged: hook.privileged,
      VolumesFrom: [draft.container],
      NetworkMode: draft.networkMode ?? service.network_mode ?? first,
      ExtraHosts: service.extra_hosts?.map((entry) => entry.replace('=', ':')),
      Dns: service.dns,
      DnsSearch: service.dns_search,
      DnsOptions: service.dns_opt,
    },
    NetworkingConfig:
      keys.length === 0
        ? undefined
        : {
            EndpointsConfig: Object.fromEntries(
              own.map((key) => [networkOf(project, key).name, {}]),
            ),
          },
  })
}

function hookLabels(project: Project, draft: HookDraft, service: Service): Record<string, string> {
  return {
    ...service.labels,
    [label.project]: project.name,
    [label.service]: draft.service,
    [label.number]: String(draft.number),
    [label.oneoff]: 'True',
    [label.hook]: 'pre_start',
    [label.configHash]: draft.hash,
    [label.version]: composeVersion,
  }
}
