import { isWindowsPath, normalizePath } from '../paths.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import type { Path } from '../yaml/tree.ts'
import { isInside } from './resource-reach.ts'

/** A host path that a container can write to, and the attribute that allows it. */
export interface WritablePath {
  /** Absolute and normalized. */
  path: string
  /** For messages: `the mount /data of service web`. */
  by: string
  /** The attribute in the model; empty for an earlier deployment. */
  at: Path
  near?: string
}

type Mounting = Pick<Project, 'volumes'>

/**
 * Returns every host path that containers of the services can write to: sources of binds that are
 * not read-only, and devices of volumes.
 */
export function writablePaths(
  { volumes }: Mounting,
  services: readonly Record<string, Service>[],
): WritablePath[] {
  const binds = services
    .flatMap((group) => Object.entries(group))
    .flatMap(([name, service]) =>
      (service.volumes ?? []).flatMap(({ type, source = '', target, read_only }, index) => {
        if (type !== 'bind' || read_only || !source.startsWith('/')) return []
        const at = ['services', name, 'volumes', index]
        const by = `the mount ${target} of service ${name}`
        return [{ path: normalizePath(source), by, at, near: target }]
      }),
    )
  // Any project that mounts such a volume can write to its device.
  const devices = Object.entries(volumes).flatMap(([key, { driver_opts = {} }]) => {
    const { device = '' } = driver_opts
    return device.startsWith('/') && !isWindowsPath(device)
      ? [{ path: normalizePath(device), by: `the volume ${key}`, at: ['volumes', key] }]
      : []
  })
  return [...binds, ...devices]
}

/** With more paths than this, the directory of the stack is recorded instead. */
const recordedMax = 64

/**
 * Joins two lists of paths, restricts them to the directory of a stack, and drops paths inside
 * others. A path above the directory, or too many paths, becomes the directory itself: that refuses
 * more, not less.
 */
export function joinWritable(
  known: readonly string[],
  more: readonly string[],
  directory: string,
): string[] {
  const base = normalizePath(directory)
  const all = [...known, ...more]
    .map((path) => (isInside(path, base) ? base : normalizePath(path)))
    .filter((path) => isInside(base, path))
    .sort((one, other) => one.length - other.length)
  const outermost = all.filter(
    (path, index) => !all.slice(0, index).some((outer) => isInside(outer, path)),
  )
  return outermost.length > recordedMax ? [base] : outermost
}

/**
 * Returns the writable paths to record when a project is brought up: what its containers can write
 * to from then on, what was recorded before, and `more`, which existing containers can write to.
 */
export const recordWritable = (
  known: readonly string[] | undefined,
  project: Project,
  more: readonly string[],
) => {
  const written = writablePaths(project, [project.services, project.disabled_services])
  const paths = [...more, ...written.map(({ path }) => path)]
  return joinWritable(known ?? [], paths, project.working_dir)
}
