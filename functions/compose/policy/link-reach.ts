import { isWindowsPath, joinPath, normalizePath, relativeTo } from '../paths.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import type { Build } from '../service-parts.ts'
import type { Path } from '../yaml/tree.ts'
import type { Finding } from './finding.ts'
import { isInside } from './resource-reach.ts'
import { type WritablePath, writablePaths } from './writable-paths.ts'

/** A path of the host that the Engine resolves for a project, following symbolic links. */
export interface ResolvedPath {
  /** Absolute and normalized. */
  path: string
  at: Path
  near?: string
}

type Model = Pick<Project, 'volumes' | 'secrets' | 'configs'>

/** Facts about a stack that its model does not contain. */
export interface LinkContext {
  /** The absolute path of the stack's directory. */
  directory: string
  /** Paths that containers of earlier deployments could write to. */
  earlier: readonly string[]
  /**
   * Files that decide what the stack can access, relative to its directory: compose files, `.env`,
   * overlays.
   */
  texts: readonly string[]
}

/**
 * Yields the paths of a project that a container could replace with a link, and the files of the
 * stack that a container could write. The Engine resolves such paths as root at every start, so
 * they must not be strictly inside a directory that a container of the stack can write to.
 */
export function* linkReach(
  model: Model,
  services: readonly Record<string, Service>[],
  { directory, earlier, texts }: LinkContext,
): Generator<Finding> {
  const writable: WritablePath[] = [
    ...writablePaths(model, services),
    ...earlier.map((path) => ({ path, by: 'a mount of an earlier deployment', at: [] })),
  ]
  for (const { path, at, near } of resolvedPaths(model, services)) {
    const found = writable.find((one) => one.path !== path && isInside(one.path, path))
    if (found) yield { path: at, near, detail: collision(path, found, directory) }
  }
  for (const text of texts) {
    const path = joinPath(directory, text)
    const found = writable.find((one) => isInside(one.path, path))
    if (found) yield { path: found.at, near: found.near, detail: rewritten(text, found, directory) }
  }
}

const shown = (path: string, directory: string) => {
  const inside = relativeTo(directory, path)
  return inside !== undefined ? `./${inside}` : path === normalizePath(directory) ? '.' : path
}

const collision = (path: string, { path: outer, by }: WritablePath, directory: string) =>
  `${shown(path, directory)} is inside ${shown(outer, directory)}, where ${by} lets a container ` +
  'create a link to any path of the host; move one of them or mount the outer one read-only'

const rewritten = (text: string, { path: outer, by }: WritablePath, directory: string) =>
  `${by} lets a container write ${shown(outer, directory)}, and with it ${text}, which decides ` +
  'what the stack can access; mount it read-only, or mount a subdirectory'

/** Yields each host path that the Engine, the builder or this service resolves for a project. */
export function* resolvedPaths(
  model: Model,
  services: readonly Record<string, Service>[],
): Generator<ResolvedPath> {
  for (const [name, service] of services.flatMap((group) => Object.entries(group))) {
    const at = ['services', name]
    for (const [index, { type, source = '', target }] of (service.volumes ?? []).entries()) {
      if (type === 'bind') yield* local(source, [...at, 'volumes', index], target)
    }
    if (service.build) yield* buildPaths(service.build, [...at, 'build'])
  }
  for (const [key, { driver_opts = {} }] of Object.entries(model.volumes)) {
    yield* local(driver_opts.device ?? '', ['volumes', key, 'driver_opts', 'device'])
  }
  for (const kind of ['secrets', 'configs'] as const) {
    for (const [key, { file = '' }] of Object.entries(model[kind])) {
      yield* local(file, [kind, key, 'file'])
    }
  }
}

/** Yields the host directories and files that a build reads. */
export function* buildPaths(build: Build, at: Path): Generator<ResolvedPath> {
  const { context = '', dockerfile = '', additional_contexts = {} } = build
  yield* local(context, [...at, 'context'])
  if (context.startsWith('/') || dockerfile.startsWith('/')) {
    if (dockerfile) yield* local(joinPath(context, dockerfile), [...at, 'dockerfile'])
  }
  for (const [name, source] of Object.entries(additional_contexts)) {
    yield* local(source, [...at, 'additional_contexts', name])
  }
}

function* local(path: string, at: Path, near?: string): Generator<ResolvedPath> {
  if (path.startsWith('/') && !isWindowsPath(path)) yield { path: normalizePath(path), at, near }
}
