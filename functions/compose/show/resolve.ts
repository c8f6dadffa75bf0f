import { Placeholders } from '../load/placeholders.ts'
import type { ComposeInput } from '../project.ts'
import { isMap, mapOf, type Tree, type TreeMap } from '../yaml/tree.ts'
import { loadShown } from './load-shown.ts'
import { shownProject } from './shown-project.ts'

/**
 * Returns the resolved model as `docker compose config --format json` shows it: a literal dollar is
 * `$$`, so that the result is a compose file too.
 *
 * Without `showsValues` it is resolved without values. Expressions such as `${NAME:-x}` stay as
 * they are written, variables without a value stay without one, and short forms with an expression
 * stay short where they cannot be taken apart. Files of variables and labels are named but not
 * read, and secret files are not read as compose files. Commands and labels can contain any
 * variable, so no list of attributes would be enough to leave out secrets.
 *
 * @throws 422 if the files are not valid
 */
export function resolveModel(
  input: ComposeInput,
  { showsValues }: { showsValues: boolean },
): TreeMap {
  const hidden = showsValues ? undefined : new Placeholders(input.files, { hidesAll: true })
  const shown = (text: string) => {
    const escaped = text.replaceAll('$', '$$$$')
    return hidden ? hidden.restore(escaped) : escaped
  }
  return loadShown(
    input,
    hidden,
    (project) => withText(shownProject(project) as TreeMap, shown) as TreeMap,
  )
}

/** Returns a copy with each key and each string changed. */
function withText(value: Tree, change: (text: string) => string): Tree {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => withText(item, change))
  if (!isMap(value)) return value
  const entries = Object.entries(value).filter(([, child]) => child !== undefined)
  return mapOf(entries.map(([key, child]) => [change(key), withText(child, change)] as const))
}
