import type { Project } from '../../functions/compose/project.ts'
import type { Service } from '../../functions/compose/service.ts'
import type { VolumeMount } from '../../functions/compose/service-parts.ts'

/** Something on disk that a project refers to. Paths are absolute. */
export type Place =
  /** A file that the project needs: a secret, config or env file. `user` is what needs it. */
  | { kind: 'file'; path: string; user: string; isRequired: boolean }
  /** A file or directory that containers of a service see. */
  | { kind: 'mount'; path: string; user: string; isWritable: boolean; createsPath: boolean }
  | ({ kind: 'build'; user: string } & BuildPlace)

export interface BuildPlace {
  context: string
  /** Relative to the context, or absolute. Undefined if its text is in the compose file. */
  dockerfile: string | undefined
}

/** Returns everything on disk that the services of a project refer to, disabled ones included. */
export function placesOf(project: Project): Place[] {
  const services = Object.entries({ ...project.disabled_services, ...project.services })
  return [
    ...services.flatMap(([name, service]) => [
      ...envFiles(name, service),
      ...buildPlaces(name, service),
      ...mountsOf(name, service, project),
    ]),
    ...fileObjects('secret', project.secrets),
    ...fileObjects('config', project.configs),
  ]
}

function envFiles(user: string, { env_file = [], label_file = [] }: Service): Place[] {
  return [
    ...env_file.map(({ path, required = true }) => ({ path, isRequired: required })),
    ...label_file.map((path) => ({ path, isRequired: true })),
  ]
    .filter(({ path }) => path.startsWith('/') && path !== '/dev/null')
    .map((place) => ({ kind: 'file' as const, user, ...place }))
}

const fileObjects = (kind: string, objects: Project['secrets']): Place[] =>
  Object.entries(objects).flatMap(([name, { file }]) =>
    file?.startsWith('/')
      ? [{ kind: 'file' as const, path: file, user: `${kind} ${name}`, isRequired: true }]
      : [],
  )

function buildPlaces(user: string, { build }: Service): Place[] {
  if (!build) return []
  const { context, dockerfile, dockerfile_inline, additional_contexts = {} } = build
  const own = context?.startsWith('/')
    ? [
        {
          context,
          dockerfile: dockerfile_inline === undefined ? (dockerfile ?? 'Dockerfile') : undefined,
        },
      ]
    : []
  // Remote contexts are not made absolute by the loader.
  const others = Object.values(additional_contexts)
    .filter((path) => path.startsWith('/'))
    .map((path) => ({ context: path, dockerfile: undefined }))
  return [...own, ...others].map((place) => ({ kind: 'build' as const, user, ...place }))
}

function mountsOf(user: string, { volumes = [] }: Service, project: Project): Place[] {
  return volumes.flatMap((volume) => {
    const path = hostPath(volume, project)
    if (path === undefined) return []
    return {
      kind: 'mount' as const,
      path,
      user,
      isWritable: volume.read_only !== true,
      createsPath: volume.type === 'bind' && volume.bind?.create_host_path !== false,
    }
  })
}

/** Returns the path on the host that a mount shows, if it shows one. */
function hostPath({ type, source }: VolumeMount, { volumes }: Project): string | undefined {
  if (source === undefined) return undefined
  if (type === 'bind') return source.startsWith('/') ? source : undefined
  const options =
    type === 'volume' && Object.hasOwn(volumes, source) ? volumes[source]?.driver_opts : undefined
  const isBind = options?.o?.split(',').includes('bind')
  return isBind && options?.device?.startsWith('/') ? options.device : undefined
}
