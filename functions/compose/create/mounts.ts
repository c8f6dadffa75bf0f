import { ownEntry } from '../lookup.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import type { VolumeMount } from '../service-parts.ts'
import type { EngineBody } from '../step.ts'
import { fileMounts } from './file-objects.ts'
import { bytes } from './quantities.ts'

/** Mounts in the two forms that the Engine accepts. */
export interface Mounts {
  Binds?: string[]
  Mounts?: EngineBody[]
}

/**
 * Anonymous volumes that a container takes over from its predecessor: path in the container →
 * volume.
 */
export type Inherited = Record<string, string>

/**
 * Returns the mounts of a service. `Binds` creates missing host directories and volumes; `Mounts`
 * has more options. Each is used where docker compose uses it, so that both tools see the same
 * container.
 */
export function mountsBody(project: Project, service: Service, inherited: Inherited): Mounts {
  const binds: string[] = []
  const mounts: EngineBody[] = []
  for (const mount of service.volumes ?? []) {
    const kept = mount.source === undefined ? ownEntry(inherited, mount.target) : undefined
    if (mount.type === 'volume' && kept !== undefined) {
      mounts.push(keptMount(mount.target, kept, mount.read_only))
    } else if (usesBinds(mount)) binds.push(bindText(project, mount))
    else mounts.push(mountBody(project, mount))
  }
  const targets = new Set([
    ...(service.volumes ?? []).map((mount) => mount.target),
    ...Object.keys(tmpfsBody(service) ?? {}),
  ])
  for (const [target, name] of Object.entries(inherited)) {
    if (!targets.has(target)) mounts.push(keptMount(target, name, undefined))
  }
  mounts.push(...fileMounts(project, service))
  return {
    Binds: binds.length > 0 ? binds : undefined,
    Mounts: mounts.length > 0 ? mounts : undefined,
  }
}

/** Returns the `tmpfs` mounts of a service: path → options. */
export function tmpfsBody(service: Service): Record<string, string> | undefined {
  if (!service.tmpfs?.length) return undefined
  return Object.fromEntries(
    service.tmpfs.map((entry) => {
      const [path = '', ...options] = entry.split(':')
      return [path, options.join(':')]
    }),
  )
}

function usesBinds({ type, source, bind, volume }: VolumeMount): boolean {
  if (source === undefined) return false
  if (type === 'bind') {
    return bind?.create_host_path !== false && !bind?.recursive
  }
  return type === 'volume' && !volume?.labels && !volume?.subpath && !volume?.nocopy
}

function bindText(project: Project, mount: VolumeMount): string {
  const { selinux, propagation } = mount.bind ?? {}
  const options = [mount.read_only ? 'ro' : 'rw', selinux, propagation].filter(Boolean)
  return `${sourceName(project, mount)}:${mount.target}:${options.join(',')}`
}

function mountBody(project: Project, mount: VolumeMount): EngineBody {
  return {
    Type: mount.type,
    Source: sourceName(project, mount),
    Target: mount.target,
    ReadOnly: mount.read_only,
    Consistency: mount.consistency,
    ...optionsBody(project, mount),
  }
}

function optionsBody(project: Project, mount: VolumeMount): EngineBody {
  if (mount.type === 'bind') {
    const recursive = mount.bind?.recursive
    return {
      BindOptions: {
        Propagation: mount.bind?.propagation,
        CreateMountpoint: mount.bind?.create_host_path === false ? undefined : true,
        NonRecursive: recursive === 'disabled' || undefined,
        ReadOnlyNonRecursive: recursive === 'writable' || undefined,
        ReadOnlyForceRecursive: recursive === 'readonly' || undefined,
      },
    }
  }
  if (mount.type === 'tmpfs') {
    const { tmpfs } = mount
    return { TmpfsOptions: tmpfs && { SizeBytes: bytes(tmpfs.size), Mode: tmpfs.mode } }
  }
  if (mount.type === 'image') return { ImageOptions: { Subpath: mount.image?.subpath } }
  const config = mount.source === undefined ? undefined : ownEntry(project.volumes, mount.source)
  return {
    VolumeOptions: {
      NoCopy: mount.volume?.nocopy,
      Subpath: mount.volume?.subpath,
      Labels: mount.volume?.labels,
      DriverConfig: config?.driver && { Name: config.driver, Options: config.driver_opts },
    },
  }
}

function keptMount(target: string, name: string, readOnly: boolean | undefined): EngineBody {
  return { Type: 'volume', Source: name, Target: target, ReadOnly: readOnly }
}

function sourceName(project: Project, { type, source }: VolumeMount): string | undefined {
  return type === 'volume' && source !== undefined
    ? (ownEntry(project.volumes, source)?.name ?? source)
    : source
}
