import { unprocessable } from '../errors.ts'
import { compareBytes } from '../hash/hash-fields.ts'
import { serviceOf } from '../lookup.ts'
import { joinPath } from '../paths.ts'
import type { Project } from '../project.ts'
import type { Build, Ulimit } from '../service-parts.ts'
import type { EngineBody, ImageBuild } from '../step.ts'
import { buildSecrets } from './build-secrets.ts'
import { builtImageLabels } from './labels.ts'
import { bytes } from './quantities.ts'

/**
 * Returns the parameters to build a service's image. `image` is the name it gets later.
 *
 * @throws 422 that names the attribute if the Engine's own builder does not support one, or that
 *   names a secret which has no value
 */
export function imageBuild(project: Project, service: string, image: string): ImageBuild {
  const { build, platform } = serviceOf(project, service)
  if (!build) throw new Error(`service ${service} has no build`)
  const [missing] = unsupported(build)
  if (missing) {
    throw unprocessable(
      missing === 'ssh'
        ? `services.${service}.build.ssh: not supported: the service has no SSH agent; use build.secrets with a key`
        : `services.${service}.build.${missing}: not supported by the Engine's own builder`,
    )
  }
  const context = build.context ?? project.working_dir
  const remote = isRemote(context)
  const dockerfile = build.dockerfile ?? 'Dockerfile'
  if (remote && build.dockerfile_inline !== undefined) {
    throw unprocessable(
      `services.${service}.build.dockerfile_inline: not supported with a context that is not on the host`,
    )
  }
  return {
    project: project.name,
    context,
    remote,
    dockerfile: remote ? dockerfile : joinPath(context, dockerfile),
    inline: build.dockerfile_inline,
    tags: (build.tags ?? []).filter((tag) => tag !== image),
    references: [image, ...cacheImages(build)],
    secrets: buildSecrets(project, service),
    options: options(project, service, { build, platform }),
  }
}

/** Returns whether the Engine fetches the context: a repository or an archive. */
export function isRemote(context: string): boolean {
  return /^(https?:\/\/|git:\/\/|git@|ssh:\/\/|github\.com\/)/.test(context)
}

interface Target {
  build: Build
  platform: string | undefined
}

/**
 * Returns the query of the build call. Lists of strings are passed as they are, other values as
 * JSON.
 */
function options(project: Project, service: string, target: Target): EngineBody {
  const { build } = target
  return {
    rm: true,
    forcerm: true,
    buildargs: build.args,
    labels: { ...build.labels, ...builtImageLabels(project, service) },
    target: build.target,
    networkmode: build.network,
    cachefrom: build.cache_from && JSON.stringify(cacheImages(build)),
    nocache: build.no_cache,
    pull: build.pull,
    shmsize: bytes(build.shm_size),
    extrahosts: build.extra_hosts?.map((entry) => entry.replace('=', ':')),
    ulimits: build.ulimits && JSON.stringify(ulimits(build.ulimits)),
    platform: platformOf(target),
  }
}

/**
 * Returns the platform of the service, or the build's if it lists exactly one. With several, the
 * Engine builds for its own platform.
 */
function platformOf({ build, platform }: Target): string | undefined {
  return platform ?? (build.platforms?.length === 1 ? build.platforms[0] : undefined)
}

function ulimits(limits: Record<string, Ulimit>): EngineBody[] {
  return Object.entries(limits)
    .sort(([left], [right]) => compareBytes(left, right))
    .map(([Name, limit]) =>
      typeof limit === 'number'
        ? { Name, Soft: limit, Hard: limit }
        : { Name, Soft: limit.soft ?? 0, Hard: limit.hard ?? 0 },
    )
}

const cacheImages = ({ cache_from = [] }: Build): string[] =>
  cache_from.flatMap((entry) => cacheImage(entry) ?? [])

/**
 * Returns the image of a `cache_from` entry, given as a plain reference or as
 * `type=registry,ref=…`; undefined for other kinds of caches.
 */
export function cacheImage(entry: string): string | undefined {
  if (!entry.includes('=')) return entry
  const fields = new Map(entry.split(',').map((field) => field.split(/=(.*)/s) as [string, string]))
  return fields.get('type') === 'registry' ? fields.get('ref') : undefined
}

function* unsupported(build: Build): Generator<string> {
  for (const key of ['ssh', 'additional_contexts', 'cache_to', 'entitlements'] as const) {
    if (Object.keys(build[key] ?? {}).length > 0) yield key
  }
  if (build.no_cache_filter?.length) yield 'no_cache_filter'
  if (build.privileged) yield 'privileged'
  if (build.isolation && build.isolation !== 'default') yield 'isolation'
  for (const key of ['provenance', 'sbom'] as const) {
    if (build[key] !== undefined && build[key] !== 'false') yield key
  }
  const index = build.cache_from?.findIndex((entry) => cacheImage(entry) === undefined) ?? -1
  if (index >= 0) yield `cache_from[${index}]`
}
