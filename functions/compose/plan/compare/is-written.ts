/** The longest key to look for. */
const keyMax = 100

/**
 * Returns whether a person wrote a key into a file of a stack: anywhere in a YAML file, or as the
 * name of a variable in a file of variables. A key for which this is false comes from the value of
 * a variable, which can be a secret.
 */
export function isWritten(key: string, files: Record<string, string>): boolean {
  if (key.length > keyMax || !/^[\w./-]+$/.test(key)) return false
  return Object.entries(files).some(([path, text]) =>
    /\.ya?ml$/.test(path) ? text.includes(key) : definesVariable(text, key),
  )
}

function definesVariable(text: string, key: string): boolean {
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
    const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
    if (!/^\s*(export\s+)?$/.test(at === 0 ? '' : before)) continue
    if (/^\s*(=|:|\r?\n|$)/.test(text.slice(at + key.length, at + key.length + 100))) return true
  }
  return false
}
