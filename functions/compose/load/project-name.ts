import { joinPath } from '../paths.ts'
import { Problem, semantic } from '../yaml/problem.ts'
import { isMap } from '../yaml/tree.ts'
import type { LoadContext } from './load-file.ts'
import { parseOnce } from './load-file.ts'
import { findText, shownPath } from './stack-files.ts'
import { substitute, TemplateError } from './template.ts'

/**
 * The source of a project's name.
 *
 * - `default`: a name in the files overrides the given one.
 * - `binding`: the given name is used.
 * - `only`: the given name is used, and a different name in the files is an error.
 */
export interface NameSource {
  given: string | undefined
  rule: 'default' | 'binding' | 'only'
}

/**
 * Returns whether a name consists of lower-case letters, digits, hyphens and underscores, and
 * starts with a letter or a digit.
 */
export const isProjectName = (name: string): boolean => /^[a-z0-9][a-z0-9_-]*$/.test(name)

/** Converts a text to a project name by dropping the characters that are not allowed. */
export const normalName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '')
    .replace(/^[_-]+/, '')

/**
 * Returns the project's name: the last `name` of the files if the rule is `default` and there is
 * one, otherwise the given name.
 *
 * @throws Problem if the name is missing or invalid
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

/** Returns the last `name` of the files, with variables substituted. */
export function nameInFiles(
  composeFiles: readonly string[],
  context: LoadContext,
): string | undefined {
  let name: string | undefined
  for (const file of composeFiles) {
    const full = joinPath(context.workingDirectory, file)
    const shown = shownPath(context.files, full)
    for (const document of parseOnce(findText(context.files, full) ?? '', shown, context)) {
      const declared = isMap(document.value) ? (document.value.name ?? undefined) : undefined
      if (declared === undefined) continue
      if (typeof declared !== 'string')
        throw new Problem('schema', 'must be a string', { path: ['name'] })
      // An empty name counts as not set.
      name = interpolated(declared, context) || name
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
