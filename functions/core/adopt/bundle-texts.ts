import { must } from '../../compose/must.ts'
import type { Project, Reach } from '../../compose/project.ts'
import type { PlacedReference } from '../../compose/references.ts'
import { selectFiles } from '../bundle/collect.ts'
import { Failure, unprocessable } from '../errors.ts'
import type { StackRecord } from '../records/stack.ts'
import { type LoadPorts, loadTexts } from '../stacks/load-project.ts'
import { type NewFile, textIfUtf8, textOf } from '../stacks/new-file.ts'
import type { StackTexts } from '../stacks/texts.ts'

/** The name of the compose file in every bundle. */
export const bundleCompose = 'compose.yaml'

type Place = Pick<StackRecord, 'id' | 'directory'> & { composeFiles: string[] }

/** The result of loading a bundle: the stack's texts, its project, and warnings for the user. */
export interface AdoptedTexts {
  texts: StackTexts
  project: Project
  warnings: string[]
  /** Volumes and networks that the project uses. */
  references: PlacedReference[]
  /** The paths that any of the loads calls secret; see `LoadedProject`. */
  secretFiles: string[]
}

/**
 * Sorts the files of a bundle into a stack's texts and loads them. Overlays that do not load are
 * kept as other files. Files in directories that services write to are data and stay on the host
 * only.
 *
 * @throws 422 if the project does not load, 403 if it accesses more than the caller may
 */
export async function adoptTexts(
  place: Place,
  files: ReadonlyMap<string, NewFile>,
  reach: Reach,
  ports: LoadPorts,
): Promise<AdoptedTexts> {
  const { overlays, ...sorted } = sort(place, files)
  const plain: StackTexts = { ...sorted, overlays: {} }
  const loaded = await loadTexts(place, plain, { environment: null, reach }, ports)
  const warnings = [...loaded.warnings]
  const secretFiles = new Set(loaded.secretFiles)
  for (const [name, text] of Object.entries(overlays)) {
    const tried = { ...plain, overlays: { [name]: text } }
    try {
      const overlaid = await loadTexts(place, tried, { environment: name, reach }, ports)
      plain.overlays[name] = text
      for (const path of overlaid.secretFiles) secretFiles.add(path)
    } catch (error) {
      if (!(error instanceof Failure) || error.status === 500) throw error
      warnings.push(`it is not an overlay of this project: ${error.message}`)
    }
  }
  const { tree, left } = keptFiles(place, sorted.tree, loaded.project)
  if (left > 0) {
    warnings.push(
      `${left} files are kept only on the host: they are data of services, too many or too large`,
    )
  }
  return {
    texts: { ...plain, tree },
    project: loaded.project,
    warnings,
    references: loaded.references,
    secretFiles: [...secretFiles],
  }
}

/** Returns the files that are read first and kept before all others. */
export const firstFiles = (composeFiles: readonly string[]) => [
  ...[bundleCompose, '.env'],
  ...composeFiles.slice(1),
]

function sort({ composeFiles }: Place, files: ReadonlyMap<string, NewFile>) {
  const all = new Map(files)
  const take = (path: string) => {
    const file = all.get(path)
    all.delete(path)
    return file
  }
  const compose = take(bundleCompose)
  if (compose === undefined) throw unprocessable(`bundle: there is no ${bundleCompose} at its root`)
  const env = take('.env')
  // This is the compose file under its name on the host, so drop it.
  all.delete(must(composeFiles[0], 'compose file'))
  const overlays: Record<string, string> = {}
  for (const [path, file] of all) {
    const [, name] = /^compose\.([a-z0-9][a-z0-9_-]{0,62})\.yaml$/.exec(path) ?? []
    const text = textIfUtf8(file.content)
    if (!name || text === undefined || composeFiles.includes(path)) continue
    if (Object.keys(overlays).length >= 20) break
    overlays[name] = text
    all.delete(path)
  }
  return {
    compose: textOf(bundleCompose, compose.content),
    env: env === undefined ? null : textOf('.env', env.content),
    overlays,
    tree: Object.fromEntries(all),
  }
}

function keptFiles(place: Place, tree: Record<string, NewFile>, project: Project) {
  const data = Object.values(project.services).flatMap(({ volumes = [] }) =>
    volumes.flatMap(({ type, source, read_only }) =>
      type === 'bind' && source?.startsWith(`${place.directory}/`) && !read_only
        ? [`${source.slice(place.directory.length + 1)}/`]
        : [],
    ),
  )
  const mine = Object.entries(tree).filter(
    ([path]) => !data.some((directory) => path.startsWith(directory)),
  )
  const kept = selectFiles(new Map(mine), place.composeFiles.slice(1))
  return {
    tree: Object.fromEntries(kept.files),
    left: kept.left + Object.keys(tree).length - mine.length,
  }
}
