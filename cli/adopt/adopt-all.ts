import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CliFailure, failed } from '../failure.ts'
import { directoryName } from '../folder/directory-name.ts'
import { clean } from '../output/text.ts'
import { bytes } from '../output/units.ts'
import { confirmed } from '../prompt.ts'
import { type AdoptCall, envWarning, previewOf, send, withBundle } from './adopt-one.ts'
import { findProject, prepare } from './prepare.ts'

/** The result for one directory. */
interface Line {
  directory: string
  stack: string
  result: 'adopted' | 'would be adopted' | 'managed' | 'not running' | 'failed'
  details: string
  /** What the project needs of a `.env` that is left out. */
  needs_env: string | null
}

/**
 * Adopts the running project of every directory in `parent` and reports on each. Throws a
 * `CliFailure` if one failed.
 */
export async function adoptAll(
  parent: string,
  call: AdoptCall,
  { dryRun, yes }: { dryRun: boolean; yes: boolean },
): Promise<void> {
  const directories = await directoriesIn(parent)
  const projectOf = (name: string) => findProject(join(parent, name), undefined, call.projects)
  const wanted = directories.filter((name) => projectOf(name)?.managed === false)
  if (!dryRun && wanted.length > 0) {
    const without = await notesOnEnv(
      wanted.map((name) => join(parent, name)),
      call,
    )
    const names = clean(wanted.map((name) => projectOf(name)?.name).join(', '))
    const question = `Adopt ${wanted.length} projects (${names})${without}?`
    if (!yes) await confirmed(call.io, question, '--yes')
  }
  const lines: Line[] = []
  for (const name of directories) {
    const project = projectOf(name)
    const line = { directory: name, stack: project?.name ?? directoryName(name), needs_env: null }
    if (!project) lines.push({ ...line, result: 'not running', details: '' })
    else if (project.managed) lines.push({ ...line, result: 'managed', details: '' })
    else lines.push({ ...line, ...(await tried(join(parent, name), call, dryRun)) })
  }
  show(lines, call)
  const bad = lines.filter(({ result }) => result === 'failed').length
  if (bad > 0) throw failed(`${bad} of ${wanted.length} projects could not be adopted`)
}

/** Prints what the projects need of a `.env` that is left out. Returns this for the question. */
async function notesOnEnv(directories: readonly string[], call: AdoptCall): Promise<string> {
  const needs: string[] = []
  for (const directory of directories) {
    const prepared = await prepare(directory, call.choice, call.projects).catch(refusal)
    if (prepared?.needsEnv === undefined) continue
    needs.push(clean(prepared.name))
    call.print.note(`${clean(prepared.name)}: ${envWarning(prepared.needsEnv)}`)
  }
  if (needs.length === 0) return ''
  return ` without the .env of ${needs.join(', ')}`
}

/** What prevents an adoption is reported with its result. */
function refusal(error: unknown): undefined {
  if (!(error instanceof CliFailure) || error.exitCode !== 1) throw error
  return undefined
}

async function tried(
  directory: string,
  call: AdoptCall,
  dryRun: boolean,
): Promise<Pick<Line, 'result' | 'details' | 'needs_env'>> {
  try {
    return await withBundle(directory, call, async (prepared, bundle) => {
      if (dryRun) {
        const { files, bundle_bytes: size, refusal, needs_env } = previewOf(prepared, bundle)
        if (refusal !== null) return { result: 'failed', needs_env, details: refusal }
        const details = [
          `${files} files, ${bytes(size)}`,
          ...(needs_env === null ? [] : [envWarning(needs_env)]),
        ]
        return { result: 'would be adopted', needs_env, details: details.join('; ') }
      }
      const { value } = await send(prepared, bundle, call)
      const { differences, warnings } = value
      const changed = new Set(differences.map(({ service }) => service)).size
      const details = [
        ...(changed > 0 ? [`${changed} services differ`] : []),
        ...warnings.slice(0, 3),
      ]
      const needs_env = prepared.needsEnv ?? null
      return { result: 'adopted', needs_env, details: details.join('; ') }
    })
  } catch (error) {
    // Continues with the other directories, unless the credential was refused.
    if (!(error instanceof CliFailure) || error.exitCode !== 1) throw error
    return { result: 'failed', needs_env: null, details: error.message }
  }
}

function show(lines: Line[], { print }: AdoptCall): void {
  print.data(lines, (shown) =>
    print.table(shown, [
      { head: 'DIRECTORY', text: (line) => line.directory },
      { head: 'STACK', text: (line) => line.stack },
      { head: 'RESULT', text: (line) => line.result },
      { head: 'DETAILS', text: (line) => line.details },
    ]),
  )
}

async function directoriesIn(parent: string): Promise<string[]> {
  const entries = await readdir(parent, { withFileTypes: true }).catch((cause) => {
    throw failed(`cannot read ${parent}: ${cause.code}`, { cause })
  })
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort()
}
