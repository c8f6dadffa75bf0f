import { createHash } from 'node:crypto'
import { serviceOf } from '../../compose/lookup.ts'
import { joinPath, relativeTo } from '../../compose/paths.ts'
import type { Project } from '../../compose/project.ts'
import { imageOf } from '../../compose/used-resources.ts'
import type { ImageBuild } from '../records/stack.ts'
import type { StackFiles } from '../records/stack-files.ts'

/** Attribute of a `build` → a digest of its value. Attributes without a value are left out. */
export type BuildDefinition = NonNullable<ImageBuild['definition']>

/** Returns the services that build an image, the one that the planner takes first. */
const buildersOf = (project: Project, image: string): string[] =>
  Object.entries(project.services).flatMap(([name, { build }]) =>
    build && imageOf(project, name) === image ? name : [],
  )

/**
 * Returns what the files say of the build of an image, or undefined if no service builds it.
 *
 * @param directory the stack's, so that a context is the same in another place
 */
export function definitionOf(
  project: Project,
  image: string,
  directory: string,
): BuildDefinition | undefined {
  const [builder] = buildersOf(project, image)
  return builder === undefined ? undefined : definitionIn(project, builder, directory)
}

function definitionIn(project: Project, service: string, directory: string): BuildDefinition {
  const { build = {}, platform } = serviceOf(project, service)
  const { context = '.', dockerfile = 'Dockerfile', dockerfile_inline: inline } = build
  const { args, labels, target, platforms } = build
  const values: Record<string, unknown> = {
    context: placeOf(joinPath(directory, context), directory),
    ...(inline === undefined ? { dockerfile } : { dockerfile_inline: inline }),
    args: sorted(args),
    labels: sorted(labels),
    target,
    platforms: platform ?? platforms,
  }
  const known = Object.entries(values).filter(([, value]) => !isEmpty(value))
  return Object.fromEntries(known.map(([key, value]) => [key, digestOf(value)]))
}

/** Returns a path below a directory as a relative one. */
const placeOf = (path: string, directory: string) =>
  path === joinPath(directory, '.') ? '.' : (relativeTo(directory, path) ?? path)

/**
 * Returns an attribute of a build that changed since, such as `build.args`, or undefined. An image
 * that several services build is as it should be if it is that of one of them.
 */
export function changedAttribute(
  before: BuildDefinition,
  project: Project,
  image: string,
  directory: string,
): string | undefined {
  const changes = buildersOf(project, image).map((builder) => {
    const now = definitionIn(project, builder, directory)
    const keys = new Set([...Object.keys(before), ...Object.keys(now)])
    return [...keys].find((key) => before[key] !== now[key])
  })
  const [first] = changes
  return first === undefined || changes.includes(undefined) ? undefined : `build.${first}`
}

/** Returns a digest of the texts that a definition is read from. */
export const textsOf = (
  { compose, env, overlays }: StackFiles,
  environment: string | null,
): string => digestOf([compose, env, sorted(overlays), environment])

const sorted = (values: Readonly<Record<string, unknown>> = {}) =>
  Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1))

const isEmpty = (value: unknown) =>
  value === undefined || (Array.isArray(value) && value.length === 0)

const digestOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)
