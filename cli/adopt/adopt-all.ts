import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CliFailure, failed } from '../failure.ts'
import { bytes } from '../output/units.ts'
import { confirmed } from '../session/prompt.ts'
import { type AdoptCall, previewOf, send, withBundle } from './adopt-one.ts'
import { findProject, nameOf } from './prepare.ts'

/** The result for one directory. */
interface Line {
  directory: string
  stack: string
  result: 'adopted' | 'would be adopted' | 'managed' | 'not running' | 'failed'
  details: string
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
  const names = wanted.map((name) => projectOf(name)?.name).join(', ')
  if (!dryRun && !yes && wanted.length > 0) {
    await confirmed(call.io, `Adopt ${wanted.length} projects (${names})?`, '--yes')
  }
  const lines: Line[] = []
  for (const name of directories) {
    const project = projectOf(name)
    const line = { directory: name, stack: project?.name ?? nameOf(name) }
    if (!project) lines.push({ ...line, result: 'not running', details: '' })
    else if (project.managed) lines.push({ ...line, result: 'managed', details: '' })
    else lines.push({ ...line, ...(await tried(join(parent, name), call, dryRun)) })
  }
  show(lines, call)
  const bad = lines.filter(({ result }) => result === 'failed').length
  if (bad > 0) throw failed(`${bad} of ${wanted.length} projects could not be adopted`)
}

async function tried(
  directory: string,
  call: AdoptCall,
  dryRun: boolean,
): Promise<Pick<Line, 'result' | 'details'>> {
  try {
    return await withBundle(directory, call, async (prepared, bundle) => {
      if (dryRun) {
        const { files, bundle_bytes: size, refusal } = previewOf(prepared, bundle)
        if (refusal !== null) return { result: 'failed', details: refusal }
        return { result: 'would be adopted', details: `${files} files, ${bytes(size)}` }
      }
      const { value } = await send(prepared, bundle, call)
      const { differences, warnings } = value
      const changed = new Set(differences.map(({ service }) => service)).size
      const details = [
        ...(changed > 0 ? [`${changed} services differ`] : []),
        ...warnings.slice(0, 3),
      ]
      return { result: 'adopted', details: details.join('; ') }
    })
  } catch (error) {
    // Continues with the other directories, unless the credential was refused.
    if (!(error instanceof CliFailure) || error.exitCode !== 1) throw error
    return { result: 'failed', details: error.message }
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
