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

/** The first entry of a map in a list stands behind the dash. */
const nested = (value: Yaml, indent: string) => writeYaml(value, `${indent}  `).trimStart()

function after(value: Yaml, indent: string): string {
  if (isScalar(value)) return ` ${scalar(value)}\n`
  if (Object.keys(value).length === 0) return Array.isArray(value) ? ' []\n' : ' {}\n'
  return `\n${writeYaml(value, `${indent}  `)}`
}

/** Words and figures that YAML does not read as text, among them `8080:80` in base 60. */
const special = /^(?:true|false|yes|no|on|off|y|n|null|~|[-+.]?[\d.][\d_.:eExX+-]*)$/i

function scalar(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  const isPlain = /^[\w./$][\w./@:=+${}-]*$/.test(value) && !value.endsWith(':')
  // A text in JSON is one in YAML too.
  return isPlain && !special.test(value) ? value : JSON.stringify(value)
}
