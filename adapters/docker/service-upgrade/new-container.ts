import { isDeepStrictEqual } from 'node:util'
import { ownEntry } from '../../../functions/compose/lookup.ts'
import type { UpgradeImage } from '../../../functions/core/records/upgrade-journal.ts'
import { composeLabels } from '../names/labels.ts'
import { type AskedMounts, missingMounts, type SeenMount } from './new-mounts.ts'

/** Names the upgrade that created a container. It counts only on the image of that upgrade. */
export const upgradeLabel = 'container-stacks.upgrade'

/** The `Config` of a container or an image, in the Engine's format. */
export type EngineConfig = Record<string, unknown> & {
  Env?: string[] | null
  Labels?: Record<string, string> | null
  Healthcheck?: Record<string, unknown> | null
  Entrypoint?: string[] | string | null
}

export interface SeenEndpoint {
  Aliases?: string[] | null
  Links?: string[] | null
  IPAMConfig?: object | null
  DriverOpts?: object | null
  GwPriority?: number
}

/** What the Engine shows of a container, as far as another one is created like it. */
export interface CopiedContainer {
  Id: string
  Config: EngineConfig
  HostConfig: Record<string, unknown> &
    AskedMounts & { NetworkMode?: string; Links?: string[] | null }
  Mounts: readonly SeenMount[]
  NetworkSettings: { Networks: Record<string, SeenEndpoint> }
}

export interface NewContainer {
  /** The body that creates it. */
  body: Record<string, unknown>
  /** All networks that it joins. Engines before API 1.44 only join the first one on creation. */
  networks: Record<string, SeenEndpoint>
}

/**
 * Returns how to create a container like another one, from a new image. What the other one has from
 * its own image comes from the new one. It has no restart policy yet.
 *
 * @param defaults the configuration of the image of the other one; empty if that is gone
 */
export function newContainer(
  old: CopiedContainer,
  defaults: EngineConfig,
  to: UpgradeImage,
  upgradeId: string,
): NewContainer {
  const { Config, HostConfig, Mounts } = old
  const networks = networksOf(old)
  const { Links: _links, VolumesFrom: _from, ContainerIDFile: _file, ...host } = HostConfig
  const { Binds, Mounts: mounts } = missingMounts(HostConfig, Mounts)
  return {
    networks,
    body: {
      ...ownConfig(Config, defaults),
      ...namesOfHost(old),
      Image: to.image,
      Labels: labelsOf(Config, defaults, to, upgradeId),
      HostConfig: {
        ...host,
        Binds,
        Mounts: mounts,
        Links: linksOf(HostConfig.Links),
        RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
      },
      NetworkingConfig: { EndpointsConfig: networks },
    },
  }
}

/** Values of the Engine that are no choice of whoever created the container. */
const computed = new Set([
  'AttachStdin',
  'AttachStdout',
  'AttachStderr',
  'Hostname',
  'Domainname',
  'Image',
  'Labels',
  // Each volume is mounted by its name.
  'Volumes',
  'OnBuild',
])

function ownConfig(config: EngineConfig, defaults: EngineConfig): Record<string, unknown> {
  const own = Object.entries(config).filter(
    ([key, value]) =>
      !computed.has(key) && (!isSame(value, defaults[key]) || neverOfImage.has(key)),
  )
  const kept: Record<string, unknown> = Object.fromEntries(own)
  // With an entry point of its own, a container gets no command from its image.
  if ('Entrypoint' in kept) kept.Cmd = config.Cmd
  if ('Env' in kept) kept.Env = except(config.Env, defaults.Env)
  if ('ExposedPorts' in kept) {
    kept.ExposedPorts = withoutEntries(config.ExposedPorts, defaults.ExposedPorts)
  }
  if ('Healthcheck' in kept) {
    // The Engine takes each missing part of a check from the image.
    kept.Healthcheck = withoutEntries(config.Healthcheck, defaults.Healthcheck)
  }
  return kept
}

/** Options of a container that an image cannot set, whose defaults may look like those of one. */
const neverOfImage = new Set(['Tty', 'OpenStdin', 'StdinOnce', 'NetworkDisabled', 'StopTimeout'])

/** Returns whether values are equal for the Engine, for which null and empty are the same. */
const isSame = (left: unknown, right: unknown) => isDeepStrictEqual(plain(left), plain(right))

function plain(value: unknown): unknown {
  if (value === undefined || value === '') return null
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  return isEmpty ? null : value
}

const except = (
  lines: readonly string[] | null | undefined,
  others: readonly string[] | null | undefined,
) => (lines ?? []).filter((line) => !(others ?? []).includes(line))

function withoutEntries(value: unknown, defaults: unknown): Record<string, unknown> {
  const others = (defaults ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    Object.entries((value ?? {}) as Record<string, unknown>).filter(
      ([key, one]) => !isDeepStrictEqual(one, ownEntry(others, key)),
    ),
  )
}

/**
 * By default, the ID names a container. One in the network of another has no name of its own.
 */
function namesOfHost({ Id, Config, HostConfig }: CopiedContainer): Record<string, unknown> {
  const { Hostname, Domainname } = Config
  const mode = HostConfig.NetworkMode ?? ''
  if (mode === 'host' || mode.startsWith('container:')) return {}
  const isDefault = typeof Hostname !== 'string' || Id.startsWith(Hostname)
  return isDefault ? { Domainname } : { Hostname, Domainname }
}

function labelsOf(
  { Labels }: EngineConfig,
  defaults: EngineConfig,
  to: UpgradeImage,
  upgradeId: string,
): Record<string, string> {
  const own = withoutEntries(Labels, defaults.Labels) as Record<string, string>
  const labels = { ...own, [upgradeLabel]: upgradeId }
  if (ownEntry(own, composeLabels.image) === undefined) return labels
  // Without this, docker compose would take the container for one of the old image.
  return { ...labels, [composeLabels.image]: to.imageId }
}

function networksOf({ Id, HostConfig, NetworkSettings }: CopiedContainer) {
  const mode = HostConfig.NetworkMode ?? 'default'
  if (mode === 'host' || mode === 'none' || mode.startsWith('container:')) return {}
  // The network of the mode comes first: before API 1.44 only that one is joined on creation.
  const main = mode === 'default' ? 'bridge' : mode
  const rank = (name: string) => (name === main ? 0 : 1)
  const entries = Object.entries(NetworkSettings.Networks).sort(
    ([left], [right]) => rank(left) - rank(right),
  )
  return Object.fromEntries(entries.map(([name, one]) => [name, endpointOf(one, Id)]))
}

function endpointOf(
  { Aliases, Links, IPAMConfig, DriverOpts, GwPriority }: SeenEndpoint,
  id: string,
): SeenEndpoint {
  return {
    // Before API 1.45 the Engine shows the short ID among the aliases.
    Aliases: (Aliases ?? []).filter((alias) => !id.startsWith(alias)),
    Links: Links ?? null,
    IPAMConfig: IPAMConfig ?? null,
    DriverOpts: DriverOpts ?? null,
    ...(GwPriority ? { GwPriority } : {}),
  }
}

/** The Engine shows `/db:/service/database` for `db:database`. */
const linksOf = (links: string[] | null | undefined) =>
  (links ?? []).map((link) => {
    const [target = '', alias = ''] = link.split(':')
    return `${target.replace(/^\//, '')}:${alias.slice(alias.lastIndexOf('/') + 1)}`
  })
