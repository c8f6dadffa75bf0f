import { createHash } from 'node:crypto'
import { serviceOf } from '../../compose/lookup.ts'
import { joinPath, relativeTo } from '../../compose/paths.ts'
import type { Project } from '../../compose/project.ts'
import { imageOf } from '../../compose/used-resources.ts'
import type { Needs } from '../ports/ports.ts'
import type { ImageBuild } from '../records/stack.ts'
import type { StackFiles } from '../records/stack-files.ts'

/** Attribute of a `build` → a digest of its value. Attributes without a value are left out. */
type Digests = NonNullable<ImageBuild['definition']>

/** What the files say of a build. */
export type BuildDefinition = Required<Pick<ImageBuild, 'definition' | 'keyed'>>

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
export async function definitionOf(
  project: Project,
  image: string,
  directory: string,
  ports: Needs<'texts'>,
): Promise<BuildDefinition | undefined> {
  const [builder] = buildersOf(project, image)
  if (builder === undefined) return undefined
  const definition = await digestsIn(project, builder, directory, ports)
  return { definition, keyed: await keyMark(ports) }
}

async function digestsIn(
  project: Project,
  service: string,
  directory: string,
  ports: Needs<'texts'>,
): Promise<Digests> {
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
  const digests = known.map(async ([key, value]) => [key, await keyedDigest(value, ports)])
  return Object.fromEntries(await Promise.all(digests))
}

/** Returns a path below a directory as a relative one. */
const placeOf = (path: string, directory: string) =>
  path === joinPath(directory, '.') ? '.' : (relativeTo(directory, path) ?? path)

/**
 * Returns an attribute of a build that changed since, such as `build.args`, or undefined. An image
 * that several services build is as it should be if it is that of one of them. Nothing is known
 * from digests with another key, or with none, as earlier versions recorded them.
 */
export async function changedAttribute(
  { definition: before, keyed }: Partial<BuildDefinition>,
  project: Project,
  image: string,
  directory: string,
  ports: Needs<'texts'>,
): Promise<string | undefined> {
  if (!before || keyed !== (await keyMark(ports))) return undefined
  const builders = buildersOf(project, image)
  const changing = builders.map(async (builder) => {
    const now = await digestsIn(project, builder, directory, ports)
    const keys = new Set([...Object.keys(before), ...Object.keys(now)])
    return [...keys].find((key) => before[key] !== now[key])
  })
  const changes = await Promise.all(changing)
  const [first] = changes
  return first === undefined || changes.includes(undefined) ? undefined : `build.${first}`
}

/**
 * Returns a digest of the texts that a definition is read from. Those have keyed digests, so that
 * it needs no key.
 */
export const textsOf = (
  { compose, env, overlays, shared }: StackFiles,
  environment: string | null,
): string =>
  digestOf([compose, env, sorted(overlays), environment, ...(shared ? [shared.variables] : [])])

const sorted = (values: Readonly<Record<string, unknown>> = {}) =>
  Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1))

const isEmpty = (value: unknown) =>
  value === undefined || (Array.isArray(value) && value.length === 0)

const digestOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)

const keyedDigest = async (value: unknown, { texts }: Needs<'texts'>) =>
  (await texts.digestOf(`build\n${JSON.stringify(value)}`)).slice(0, 16)

const keyMark = (ports: Needs<'texts'>) => keyedDigest(null, ports)
