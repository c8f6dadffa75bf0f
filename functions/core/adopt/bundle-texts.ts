import { keptOf } from '../bundle/collect.ts'
import type { Project, Reach } from '../compose/project.ts'
import { Failure, unprocessable } from '../errors.ts'
import type { PlacedReference } from '../owners/references.ts'
import { type OtherFile, textOf } from '../stacks/other-files.ts'
import { type LoadPorts, loadTexts } from '../stacks/project.ts'
import type { StackRecord } from '../stacks/stack.ts'
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
  files: ReadonlyMap<string, OtherFile>,
  reach: Reach,
  ports: LoadPorts,
): Promise<AdoptedTexts> {
  const { overlays, ...sorted } = sort(place, files)
  const plain: StackTexts = { ...sorted, overlays: {} }
  const loaded = await loadTexts(place, plain, { environment: null, reach }, ports)
  const warnings = [...loaded.warnings]
  for (const [name, text] of Object.entries(overlays)) {
    const tried = { ...plain, overlays: { [name]: text } }
    try {
      await loadTexts(place, tried, { environment: name, reach }, ports)
      plain.overlays[name] = text
    } catch (error) {
      if (!(error instanceof Failure) || error.status === 500) throw error
      warnings.push(`it is not an overlay of this project: ${error.message}`)
    }
  }
  const { others, left } = keptOthers(place, plain.others, loaded.project)
  if (left > 0) {
    warnings.push(
      `${left} files are kept only on the host: they are data of services, too many or too large`,
    )
  }
  return {
    texts: { ...plain, others },
    project: loaded.project,
    warnings,
    references: loaded.references,
  }
}

/** Returns the files that are read first and kept before all others. */
export const firstFiles = (composeFiles: readonly string[]) => [
  ...[bundleCompose, '.env'],
  ...composeFiles.slice(1),
]

function sort({ composeFiles }: Place, files: ReadonlyMap<string, OtherFile>): StackTexts {
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
  all.delete(composeFiles[0]!)
  const overlays: Record<string, string> = {}
  for (const [path, file] of all) {
    const [, name] = /^compose\.([a-z0-9][a-z0-9_-]{0,62})\.yaml$/.exec(path) ?? []
    const text = textOf(file)
    if (!name || text === undefined || composeFiles.includes(path)) continue
    if (Object.keys(overlays).length >= 20) break
    overlays[name] = text
    all.delete(path)
  }
  return {
    compose: textNamed(bundleCompose, compose),
    env: env === undefined ? null : textNamed('.env', env),
    overlays,
    others: Object.fromEntries(all),
  }
}

function textNamed(path: string, file: OtherFile): string {
  const text = textOf(file)
  if (text === undefined) throw unprocessable(`${path}: it is not UTF-8 text`)
  return text
}

function keptOthers(place: Place, others: Record<string, OtherFile>, project: Project) {
  const data = Object.values(project.services).flatMap(({ volumes = [] }) =>
    volumes.flatMap(({ type, source, read_only }) =>
      type === 'bind' && source?.startsWith(`${place.directory}/`) && !read_only
        ? [`${source.slice(place.directory.length + 1)}/`]
        : [],
    ),
  )
  const mine = Object.entries(others).filter(
    ([path]) => !data.some((directory) => path.startsWith(directory)),
  )
  const kept = keptOf(new Map(mine), place.composeFiles.slice(1))
  return {
    others: Object.fromEntries(kept.files),
    left: kept.left + Object.keys(others).length - mine.length,
  }
}
