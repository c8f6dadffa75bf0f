import { type Ignoring, ignoreFile } from '../../compose/build/ignore-file.ts'
import type { LoadedProject } from '../../compose/load/loaded-project.ts'
import { ownEntry } from '../../compose/lookup.ts'
import { joinPath, relativeTo } from '../../compose/paths.ts'
import { changedText } from '../../compose/plan/fetch/plan-fetches.ts'
import type { Project } from '../../compose/project.ts'
import { imageName } from '../../compose/reference/image-name.ts'
import type { Build } from '../../compose/service-parts.ts'
import type { Resolved } from '../../compose/snapshot.ts'
import { imageOf, scaleOf } from '../../compose/used-resources.ts'
import { Failure } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { ImageBuild, StackRecord } from '../records/stack.ts'
import type { StackFiles } from '../records/stack-files.ts'
import { isLink, type StackTree } from '../records/stack-tree.ts'
import { changedAttribute } from './build-definition.ts'
import { type HostOwned, isSeed } from './host-owned.ts'
import { composeFilesOf } from './texts.ts'
import { entryAt, isSameEntry, readFile, readTree } from './tree.ts'

/** A stack with its files, and the images that its host has. */
export interface BuiltStack {
  stack: StackRecord
  files: StackFiles
  project: Project
  images: Resolved['images']
  /** The paths in the stack's directory that containers can write. */
  owned: HostOwned
  loaded: Pick<LoadedProject, 'paths'> & { read: Readonly<Record<string, string>> }
}

/** An image that was built from other files, or as other attributes say, than the stack has. */
export interface ChangedBuild {
  service: string
  image: string
  /** What changed: a file, such as `./app/Dockerfile`, or an attribute, such as `build.args`. */
  what: string
}

/** Says which image is older than its files, and the command that builds it. */
export const staleText = ({ service, what }: ChangedBuild, stack: string): string =>
  `service ${service}: ${changedText(what)}: \`cli stacks deploy ${stack} --build\` builds it again`

/**
 * Returns the services whose image was built from other files than those that the stack has, or
 * with other attributes, such as `args`. Files that the ignore file leaves out, or that a
 * Dockerfile without COPY cannot read, do not count. If the context is the stack's own directory,
 * files that containers mount or compose files read do not count either. An image of which no
 * record says what it was built from counts as unchanged.
 */
export async function changedBuilds(
  built: BuiltStack,
  ports: Needs<'texts'>,
): Promise<ChangedBuild[]> {
  const { stack, files, project, images } = built
  const found: ChangedBuild[] = []
  let tree: StackTree | undefined
  for (const [service, definition] of Object.entries(project.services)) {
    const { build } = definition
    const image = imageOf(project, service)
    const before = builtFrom(stack, image, ownEntry(images, image)?.id)
    if (!build || !before || scaleOf(definition) === 0) continue
    const attribute = await changedAttribute(before, project, image, stack.directory, ports)
    if (attribute !== undefined) found.push({ service, image, what: attribute })
    if (attribute !== undefined || isSameTree(before.files, files)) continue
    tree ??= await readTree(files, ports)
    const changed = differences(await readTree(before.files, ports), tree, built.owned)
    const file = await changedFile(build, changed, { ...built, tree }, ports)
    if (file !== undefined) found.push({ service, image, what: `./${file}` })
  }
  return found
}

/** Returns whether two sets of files have the same files besides the texts. */
export const isSameTree = (one: ImageBuild['files'], other: ImageBuild['files']): boolean =>
  one.tree === other.tree && JSON.stringify(one.others) === JSON.stringify(other.others)

/**
 * Returns what an image was built from, as far as records say. Earlier versions did not record it:
 * an image that the last deployment decided on is as old as what it wrote.
 */
export function builtFrom(
  { builds = {}, images, adopted, written }: StackRecord,
  reference: string,
  id: string | undefined,
): Pick<ImageBuild, 'files' | 'definition' | 'keyed'> | undefined {
  if (id === undefined) return undefined
  const { name } = imageName(reference)
  const build = ownEntry(builds, name)
  if (build) return build.image === id ? build : undefined
  const isOfLast = images ? ownEntry(images, name) === id : adopted
  return isOfLast && written ? { files: written } : undefined
}

/** Returns the paths of the files that differ, without those that belong to containers. */
function differences(before: StackTree, now: StackTree, owned: HostOwned): string[] {
  const all = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...all].filter(
    (path) => !isSeed(path, owned) && !isSameEntry(entryAt(before, path), entryAt(now, path)),
  )
}

/** Returns one changed file that a build uses, as a path in the stack's directory. */
async function changedFile(
  { context = '.', dockerfile = 'Dockerfile', dockerfile_inline: inline }: Build,
  changed: readonly string[],
  built: BuiltStack & { tree: StackTree },
  ports: Needs<'texts'>,
): Promise<string | undefined> {
  const { stack, tree } = built
  const { directory } = stack
  const root = joinPath(directory, context)
  const recipe =
    inline === undefined ? relativeTo(directory, joinPath(root, dockerfile)) : undefined
  const inContext = changed.flatMap((path) => {
    const part = relativeTo(root, joinPath(directory, path))
    return part === undefined || isOfContainers(path, built, root) ? [] : [{ path, part }]
  })
  if (recipe !== undefined && changed.includes(recipe)) return recipe
  if (inContext.length === 0) return undefined
  const text = inline ?? (await textAt(recipe, tree, ports))
  if (text !== undefined && !readsContext.test(text)) return undefined
  const ignoring = await ignoringOf(
    [`${dockerfile}.dockerignore`, '.dockerignore'],
    ports,
    (name) => entryAt(tree, relativeTo(directory, joinPath(root, name)) ?? ''),
  )
  return inContext.find(({ part }) => !ignoring?.ignores(part))?.path
}

/** What a Dockerfile has if it reads files of its context. */
const readsContext = /^[ \t]*(?:ONBUILD[ \t]+)?(?:COPY|ADD)\b|--mount/im

/** Returns the text of a file of the stack, or undefined if it has none at that path. */
async function textAt(path: string | undefined, tree: StackTree, ports: Needs<'texts'>) {
  const file = path === undefined ? undefined : entryAt(tree, path)
  if (!file || isLink(file)) return undefined
  return Buffer.from(await readFile(file, ports)).toString('utf8')
}

/** Returns whether a file in a context that is the stack's directory has another purpose. */
function isOfContainers(path: string, { stack, loaded }: BuiltStack, root: string) {
  const { directory } = stack
  if (root !== joinPath(directory, '.')) return false
  if (Object.hasOwn(loaded.read, path) || composeFilesOf(stack).includes(path)) return true
  return loaded.paths.some(({ use, path: used }) => {
    const place = use === 'run' ? relativeTo(directory, used) : undefined
    return place !== undefined && (path === place || path.startsWith(`${place}/`))
  })
}

/** Returns the first ignore file that the stack has. One that is invalid ignores nothing. */
async function ignoringOf(
  names: readonly string[],
  ports: Needs<'texts'>,
  entry: (name: string) => StackTree[string] | undefined,
): Promise<Ignoring | undefined> {
  for (const name of names) {
    const file = entry(name)
    if (!file || isLink(file)) continue
    const text = Buffer.from(await readFile(file, ports)).toString('utf8')
    try {
      return ignoreFile(text, name)
    } catch (error) {
      // The next build says what is wrong with it.
      if (error instanceof Failure) return undefined
      throw error
    }
  }
  return undefined
}
