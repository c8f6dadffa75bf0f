import type { ComposeInput } from '../project.ts'
import { Problem } from '../yaml/problem.ts'
import type { Path } from '../yaml/tree.ts'
import { parseDotenv } from './dotenv.ts'
import type { LoadContext } from './load-file.ts'
import { isSecret, requireText, shownPath } from './stack-files.ts'
import type { Lookup } from './template.ts'

type Context = Pick<LoadContext, 'files' | 'hidden' | 'report'>

const needs = 'needs the permission stacks:secrets'

/**
 * Returns the text of a compose file that another one names, or undefined if it is missing; see
 * `requireText`.
 *
 * @throws Problem at `at` if its name or content is hidden: a model would show the content, and an
 *   error message could
 */
export function requireComposeText(
  { files, hidden }: Context,
  path: string,
  at: Path,
): string | undefined {
  if (hidden?.isIn(path)) {
    throw new Problem('hidden', `which file this is depends on a variable: reading it ${needs}`, {
      path: at,
    })
  }
  if (isSecret(files, path)) {
    const shown = shownPath(files, path)
    throw new Problem('hidden', `reading ${shown} as a compose file ${needs}`, { path: at })
  }
  return requireText(files, path, at)
}

/** A file with variables. `file` is its absolute path and `shown` the one for messages. */
interface VariableFile {
  text: string
  file: string
  shown: string
}

/**
 * Returns the variables of a `.env` text. Those of a secret file have placeholders as values, and a
 * problem in it quotes nothing of it.
 */
export function variablesOf(
  { text, file, shown }: VariableFile,
  { files, hidden, report }: Context,
  { lookup, known }: { lookup: Lookup; known?: ReadonlyMap<string, string> },
): Map<string, string> {
  if (!hidden || !isSecret(files, file)) return parseDotenv(text, shown, lookup, known, report)
  const parsed = parseDotenv(text, shown, lookup, known, ({ position }) =>
    report(new Problem('semantic', 'this line cannot be read', { position })),
  )
  return new Map([...parsed.keys()].map((name) => [name, hidden.put(`\${${name}}`, true)]))
}

/**
 * Returns the variables over which `.env` takes precedence. If values are hidden, each has a
 * placeholder: they come from someone else than the files.
 */
export const sharedVariables = (
  { shared = {} }: Pick<ComposeInput, 'shared'>,
  { hidden }: Pick<LoadContext, 'hidden'>,
): Map<string, string> =>
  new Map(
    Object.entries(shared).map(([name, value]) => [
      name,
      hidden ? hidden.put(`\${${name}}`, true) : value,
    ]),
  )
