import { isWindowsPath, normalizePath } from '../load/paths.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import type { Path } from '../yaml/tree.ts'
import { isInside } from './resource-reach.ts'

/** A directory or file of the host that a container can write, and what lets it. */
export interface WritablePath {
  /** Absolute and normal. */
  path: string
  /** As messages say it: `the mount /data of service web`. */
  by: string
  /** Where the model says it; nothing for what an earlier one said. */
  at: Path
  near?: string
}

type Mounting = Pick<Project, 'volumes'>

/**
 * Returns every path of the host that containers of the services can write: their binds that are
 * not read only.
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
  // Whoever mounts such a volume, also from another project, may write there.
  const devices = Object.entries(volumes).flatMap(([key, { driver_opts = {} }]) => {
    const { device = '' } = driver_opts
    return device.startsWith('/') && !isWindowsPath(device)
      ? [{ path: normalizePath(device), by: `the volume ${key}`, at: ['volumes', key] }]
      : []
  })
  return [...binds, ...devices]
}

/** More directories than these are recorded as the stack's directory as a whole. */
const recordedMax = 64

/**
 * Returns the paths of two lists as far as they say something of a stack's directory, without those
 * inside others. A path above the directory counts as the directory. Of too many only the directory
 * is left: that refuses more, not less.
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
 * The same for a project that is brought up: what its containers can write from then on, and what
 * was known before. `more` is what containers that exist can write.
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
