/** What a compose file consists of. */
export type Yaml = string | number | boolean | readonly Yaml[] | { readonly [key: string]: Yaml }

/** Returns a value as YAML in block style, ending with a line break. */
export function writeYaml(value: Yaml, indent = ''): string {
  if (Array.isArray(value)) {
    return (value as readonly Yaml[])
      .map((one) => `${indent}- ${isScalar(one) ? scalar(one) : nested(one, indent)}`)
      .map((line) => (line.endsWith('\n') ? line : `${line}\n`))
      .join('')
  }
  if (isScalar(value)) return `${indent}${scalar(value)}\n`
  return Object.entries(value)
    .map(([key, one]) => `${indent}${scalar(key)}:${after(one, indent)}`)
    .join('')
}

const isScalar = (value: Yaml): value is string | number | boolean => typeof value !== 'object'

/** Writes the first entry of a map in a list right after the dash. */
const nested = (value: Yaml, indent: string) => writeYaml(value, `${indent}  `).trimStart()

function after(value: Yaml, indent: string): string {
  if (isScalar(value)) return ` ${scalar(value)}\n`
  if (Object.keys(value).length === 0) return Array.isArray(value) ? ' []\n' : ' {}\n'
  return `\n${writeYaml(value, `${indent}  `)}`
}

/** Text that YAML reads as a boolean, null or a number, such as `8080:80` in base 60. */
const special = /^(?:true|false|yes|no|on|off|y|n|null|~|[-+.]?[\d.][\d_.:eExX+-]*)$/i

function scalar(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  const isPlain = /^[\w./$][\w./@:=+${}-]*$/.test(value) && !value.endsWith(':')
  // A JSON string is a YAML string too.
  return isPlain && !special.test(value) ? value : JSON.stringify(value)
}
