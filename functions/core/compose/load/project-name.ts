import { Problem, semantic } from '../yaml/problem.ts'
import { isMap } from '../yaml/tree.ts'
import type { LoadContext } from './load-file.ts'
import { parseOnce } from './load-file.ts'
import { joinPath } from './paths.ts'
import { findText, shownPath } from './stack-files.ts'
import { substitute, TemplateError } from './template.ts'

/**
 * Where a project's name comes from. `default`: the files' name goes before the given one. `binding`: the given one
 * stands. `only`: it stands, and a file that says another is refused.
 */
export interface NameSource {
  given: string | undefined
  rule: 'default' | 'binding' | 'only'
}

/** Lower-case letters, digits, hyphens and underscores, the first a letter or a digit. */
export const isProjectName = (name: string): boolean => /^[a-z0-9][a-z0-9_-]*$/.test(name)

/** The name that a text has as a project: other characters left out. */
export const normalName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '')
    .replace(/^[_-]+/, '')

/**
 * The project's name: the given one where it binds, else the last `name:` of the files, else the given one.
 * Throws a `Problem` when there is none, or none that is valid.
 */
export function projectName(
  source: NameSource,
  composeFiles: readonly string[],
  context: LoadContext,
): string {
  const { given, rule } = source
  const inFiles = rule === 'default' ? nameInFiles(composeFiles, context) : undefined
  const name = inFiles === undefined ? (given ?? '') : normalName(inFiles)
  if (name === '') throw semantic([], 'project name must not be empty')
  if (isProjectName(name)) return name
  throw semantic(
    [],
    `invalid project name "${name}": must consist only of lowercase alphanumeric characters, hyphens, and underscores as well as start with a letter or number`,
  )
}

/** The last `name:` of the files, interpolated. */
export function nameInFiles(
  composeFiles: readonly string[],
  context: LoadContext,
): string | undefined {
  let name: string | undefined
  for (const file of composeFiles) {
    const full = joinPath(context.workingDirectory, file)
    const shown = shownPath(context.files, full)
    for (const document of parseOnce(findText(context.files, full) ?? '', shown, context)) {
      const said = isMap(document.value) ? (document.value.name ?? undefined) : undefined
      if (said === undefined) continue
      if (typeof said !== 'string')
        throw new Problem('schema', 'must be a string', { path: ['name'] })
      // An empty one says nothing.
      name = interpolated(said, context) || name
    }
  }
  return name
}

function interpolated(name: string, context: LoadContext): string {
  try {
    return substitute(name, (variable) => context.variables.get(variable))
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw new Problem('interpolation', error.message, { path: ['name'] })
  }
}
