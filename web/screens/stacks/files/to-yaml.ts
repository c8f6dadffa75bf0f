/** Returns a JSON value as YAML in the usual style of compose files. */
export const toYaml = (value: unknown): string => `${block(value, '').trimStart()}\n`

function block(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []'
    return value.map((one) => `\n${indent}-${entry(one, indent)}`).join('')
  }
  if (typeof value !== 'object' || value === null) return ` ${scalar(value, indent)}`
  const entries = Object.entries(value)
  if (entries.length === 0) return ' {}'
  return entries
    .map(([key, one]) => `\n${indent}${plain(key)}:${block(one, below(one, indent))}`)
    .join('')
}

/** Writes an entry of a list right after its dash. */
function entry(value: unknown, indent: string): string {
  const text = block(value, `${indent}  `)
  return text.startsWith('\n') ? ` ${text.trimStart()}` : text
}

/** Returns the indent below a key. Lists have the indent of their key. */
const below = (value: unknown, indent: string) => (Array.isArray(value) ? indent : `${indent}  `)

function scalar(value: unknown, indent: string): string {
  if (typeof value !== 'string') return String(value)
  const isBlock = /\n/.test(value) && !/[^\S\n]\n|^\s|\r|\t/.test(value)
  if (!isBlock) return plain(value)
  const sign = value.endsWith('\n\n') ? '+' : value.endsWith('\n') ? '' : '-'
  const lines = value.replace(/\n$/, '').split('\n')
  return `|${sign}${lines.map((line) => (line === '' ? '\n' : `\n${indent || '  '}${line}`)).join('')}`
}

/** No character may both end a word and belong to one: matching would take exponential time. */
const isPlain = /^(?:[A-Za-z_/]|\.(?!\d))[\w./@%+*-]*(?:[ :=,][\w./@%+*$(){}-]+)*$/
const isOtherType = /^(?:true|false|null|yes|no|on|off|y|n|~|\.inf|\.nan)$/i

/** Quotes a text that YAML could read as another type, or only in part. */
function plain(text: string): string {
  return isPlain.test(text) && !isOtherType.test(text) ? text : JSON.stringify(text)
}
