import type { ComposeInput } from '../project.ts'
import { Problem, type Report } from '../yaml/problem.ts'
import type { Path } from '../yaml/tree.ts'
import { parseDotenv, splitDotenv } from './dotenv.ts'
import type { LoadContext } from './load-file.ts'
import { joinOrigins, type Placeholders } from './placeholders.ts'
import { isSecret, requireText, shownPath } from './stack-files.ts'
import { type Lookup, namesIn } from './template.ts'

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

/** Where the variables of a file look up others: first, and after those of the file. */
interface Outer {
  lookup: Lookup
  known?: ReadonlyMap<string, string>
}

/**
 * Returns the variables of a `.env` text. Those of a secret file have placeholders as values, and a
 * problem in it quotes nothing of it. If all expressions are hidden, variables of other files that
 * refer to secret ones have placeholders too.
 */
export function variablesOf(
  variableFile: VariableFile,
  { files, hidden, report }: Context,
  outer: Outer,
): Map<string, string> {
  const { text, file, shown } = variableFile
  const { lookup, known } = outer
  const secret = hidden !== undefined && isSecret(files, file)
  const reportPlace: Report = ({ position }) =>
    report(new Problem('semantic', 'this line cannot be read', { position }))
  const parsed = parseDotenv(text, shown, lookup, known, secret ? reportPlace : report)
  if (!hidden || (!secret && !hidden.hidesAll)) return parsed
  const origins = hidden.hidesAll
    ? originsOf(variableFile, hidden, outer)
    : new Map<string, string>()
  const hide = ([name, value]: [string, string]): [string, string] => {
    const others = origins.get(name) ?? ''
    const origin = secret ? joinOrigins([`${shown} ${name}`, others]) : others
    return [name, origin === '' ? value : hidden.put(`\${${name}}`, origin)]
  }
  return new Map([...parsed].map(hide))
}

/**
 * Returns from where the secret values are that variables of a file refer to, also in a part of an
 * expression that is not used now: which part is used depends on values. Variables of the file that
 * refer to none have an empty text.
 */
function originsOf(
  { text, shown }: VariableFile,
  hidden: Placeholders,
  { lookup, known }: Outer,
): Map<string, string> {
  const found = new Map<string, string>()
  // In the order in which the file is read: a variable sees only what precedes it.
  const originOf = (name: string) => {
    const first = lookup(name)
    if (first !== undefined) return hidden.originsIn(first)
    return found.get(name) ?? hidden.originsIn(known?.get(name) ?? '')
  }
  for (const { key, value, isLiteral } of splitDotenv(text, shown).statements) {
    // `KEY` alone leaves what precedes it.
    if (value === undefined) continue
    found.set(key, joinOrigins((isLiteral ? [] : namesIn(value)).map(originOf)))
  }
  return found
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
      hidden ? hidden.put(`\${${name}}`, `set:${name}`) : value,
    ]),
  )
