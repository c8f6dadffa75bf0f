import { whiteSpace } from './white-space.ts'

/** Values of a build's arguments; null for an unknown value. */
export type Arguments = ReadonlyMap<string, string | null>

/**
 * Maximum length of an expanded word, in characters. Arguments that refer to each other twice would
 * double in length with each line.
 */
const longest = 4096

const variable = /\\(.)|\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?:(:?[-+])([^{}]*))?\})/g

/**
 * Replaces the variables in a word of a Dockerfile and removes its quotes. Returns undefined for a
 * form that the builder may interpret differently.
 */
export function expandWord(word: string, values: Arguments): string | undefined {
  let unknown = false
  let length = word.length
  const expanded = unquoted(word).replace(
    variable,
    (_, escaped: string | undefined, plain = '', braced = '', operator = '', other = '') => {
      if (escaped !== undefined) return escaped
      const value = values.get(plain || braced)
      length += value?.length ?? 0
      if (length > longest) return ''
      if (other.includes('$') || value === null) unknown = true
      const isSet = operator.startsWith(':')
        ? value !== undefined && value !== ''
        : value !== undefined
      if (operator.endsWith('-')) return isSet ? (value ?? '') : other
      if (operator.endsWith('+')) return isSet ? other : ''
      return value ?? ''
    },
  )
  const left = unquoted(word).replace(variable, '')
  return unknown || length > longest || left.includes('$') ? undefined : expanded
}

const unquoted = (word: string) =>
  /^"[^"]*"$|^'[^']*'$/.test(word) ? word.slice(1, -1) : word.replaceAll(/["']/g, '')

const argument = new RegExp(`(?:(?!${whiteSpace})[^"']|"[^"]*"|'[^']*')+`, 'g')

/** Returns the `NAME=default` pairs of an ARG line. A name without `=` has no default. */
export function argumentPairs(rest: string): [name: string, value: string | undefined][] {
  const words = rest.match(argument) ?? []
  return words.map((word) => {
    const equals = word.indexOf('=')
    return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)]
  })
}
