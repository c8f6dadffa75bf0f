import { ownEntry } from './lookup.ts'
import { isWindowsPath, joinPath, normalizePath } from './paths.ts'
import type { Project } from './project.ts'
import type { Service } from './service.ts'
import type { Build } from './service-parts.ts'
import type { Path } from './yaml/tree.ts'

/** A path of the host that a service uses. */
export interface HostPath {
  service: string
  /** Absolute and normalized. */
  path: string
  /** What must be there. */
  needs: 'file' | 'directory' | 'any'
  /** When it is used: to build the image, or to create and start a container. */
  use: 'build' | 'run'
  /** The Engine creates a missing one as an empty directory. */
  isCreated: boolean
  /** Its path in the compose file. */
  at: Path
  /** The entry meant in a list: see `Problem`. */
  near?: string
}

/** Yields the paths of the host that must exist for a project, and the binds that need not. */
export function* hostPathsOf(project: Project): Generator<HostPath> {
  for (const [service, one] of Object.entries(project.services)) {
    const found = [
      ...buildPaths(one.build, project.working_dir, ['services', service, 'build']),
      ...filePaths(project, { secrets: one.build?.secrets }, 'build'),
      ...filePaths(project, one, 'run'),
      ...bindPaths(one, ['services', service, 'volumes']),
    ]
    for (const { path, ...rest } of found) {
      if (!path.startsWith('/') || isWindowsPath(path)) continue
      yield { service, path: normalizePath(path), ...rest }
    }
  }
}

type Found = Omit<HostPath, 'service'>

function buildPaths(build: Build | undefined, directory: string, at: Path): Found[] {
  if (!build) return []
  const { context = directory, dockerfile = 'Dockerfile', dockerfile_inline } = build
  const common = { use: 'build' as const, isCreated: false }
  const base = { ...common, path: context, needs: 'directory' as const, at: [...at, 'context'] }
  if (!context.startsWith('/') || dockerfile_inline !== undefined) return [base]
  const file = joinPath(context, dockerfile)
  return [base, { ...common, path: file, needs: 'file', at: [...at, 'dockerfile'] }]
}

function filePaths(
  project: Project,
  service: Pick<Service, 'secrets' | 'configs'>,
  use: Found['use'],
): Found[] {
  return (['secrets', 'configs'] as const).flatMap((kind) =>
    (service[kind] ?? []).flatMap(({ source }): Found[] => {
      const { file } = ownEntry(project[kind], source) ?? {}
      if (file === undefined) return []
      const at = [kind, source, 'file']
      return [{ path: file, needs: 'file', use, isCreated: false, at }]
    }),
  )
}

function bindPaths(service: Service, at: Path): Found[] {
  return (service.volumes ?? []).flatMap(({ type, source, target, bind }, index): Found[] => {
    if (type !== 'bind' || source === undefined) return []
    const isCreated = bind?.create_host_path !== false
    return [{ path: source, needs: 'any', use: 'run', isCreated, at: [...at, index], near: target }]
  })
}
