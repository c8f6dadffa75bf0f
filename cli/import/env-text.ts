/** Returns variables as a `.env`. Values are final: no variable in them is replaced again. */
export const envText = (variables: Iterable<readonly [string, string]>): string =>
  Array.from(variables, ([name, value]) => `${name}=${quotedValue(value)}\n`).join('')

function quotedValue(value: string): string {
  if (/^[\w./:@,+-]*$/.test(value)) return value
  if (!/['\\]/.test(value)) return `'${value}'`
  return `"${value.replace(/[\\"$]/g, '\\$&')}"`
}
