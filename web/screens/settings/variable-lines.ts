/** What the lines of a form say of variables. */
export interface VariableLines {
  /** Name → value; null deletes the variable. */
  variables: Record<string, string | null>
  /** The first line that says nothing, from 1. Undefined if there is none. */
  wrongLine: number | undefined
}

/**
 * Reads lines such as `NAME=value`. Values are taken as they are typed. `-NAME` deletes a variable.
 * Empty lines and those that begin with `#` are left out.
 */
export function readVariableLines(text: string): VariableLines {
  const variables = new Map<string, string | null>()
  let wrongLine: number | undefined
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const [, removed, name, value = ''] =
      /^(?:-([A-Za-z_]\w*)\s*|([A-Za-z_]\w*)=(.*))$/.exec(line) ?? []
    if (removed !== undefined) variables.set(removed, null)
    else if (name !== undefined) variables.set(name, value)
    else wrongLine ??= index + 1
  }
  return { variables: Object.fromEntries(variables), wrongLine }
}
