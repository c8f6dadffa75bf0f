/**
 * A part of a pattern: `*` (without slashes), a `**` that matches anything, `**` for directories,
 * or a single character.
 */
type Part =
  | { kind: 'star' }
  | { kind: 'rest' }
  | { kind: 'directories' }
  | { kind: 'one'; matches(character: string): boolean }

/** A parsed pattern of an ignore file. */
export interface PathPattern {
  matches(path: string): boolean
}

/**
 * Parses a pattern as Docker's builders do: `*` and `?` match anything except a slash, `**` matches
 * any number of directories, `[a-z]` one of its characters (`[^a-z]` also a slash), and `\` escapes
 * the next character. The time to match is proportional to the length of the pattern times that of
 * the path, whatever the pattern.
 *
 * @throws Error if a `[` has no end, a class such as `[b-a]` is invalid, or a final `\` escapes
 *   nothing
 */
export function pathPattern(text: string): PathPattern {
  const parts = partsOf([...text])
  return { matches: (path) => matchParts(parts, [...path]) }
}

/** Parses the characters of a pattern. They are code points: `?` matches any one of them. */
function partsOf(text: readonly string[]): Part[] {
  const parts: Part[] = []
  // The end of a path, unlike a name in any directory.
  const isEnd = /^\*\*[^/*?[\]\\][^*?[\]\\]*$/.test(text.join(''))
  let at = 0
  while (at < text.length) {
    const character = text[at]
    if (character === '*' && text[at + 1] === '*') {
      at += text[at + 2] === '/' ? 3 : 2
      parts.push({ kind: isEnd || at >= text.length ? 'rest' : 'directories' })
      continue
    }
    if (character === '[') {
      const { matches, end } = classAt(text, at)
      parts.push({ kind: 'one', matches })
      at = end
      continue
    }
    if (character === '*') parts.push({ kind: 'star' })
    else if (character === '?') parts.push({ kind: 'one', matches: (other) => other !== '/' })
    else {
      if (character === '\\') at += 1
      const same = text[at]
      if (same === undefined) throw invalidPattern(text)
      parts.push({ kind: 'one', matches: (other) => other === same })
    }
    at += 1
  }
  return parts
}

/** Returns what a class such as `[a-z]` matches, and the index after it. */
function classAt(text: readonly string[], begin: number) {
  const negated = text[begin + 1] === '^'
  const ranges: { from: string; to: string }[] = []
  let at = begin + (negated ? 2 : 1)
  while (ranges.length === 0 || text[at] !== ']') {
    const first = memberAt(text, at)
    const isRange = text[first.end] === '-'
    const last = isRange ? memberAt(text, first.end + 1) : first
    if (order(first.member) > order(last.member)) throw invalidPattern(text)
    ranges.push({ from: first.member, to: last.member })
    at = last.end
  }
  const matches = (character: string) => {
    const one = order(character)
    return negated !== ranges.some(({ from, to }) => order(from) <= one && one <= order(to))
  }
  return { matches, end: at + 1 }
}

const order = (character: string) => character.codePointAt(0) ?? 0

function memberAt(text: readonly string[], at: number): { member: string; end: number } {
  const isEscaped = text[at] === '\\'
  const member = text[isEscaped ? at + 1 : at]
  if (member === undefined || (!isEscaped && (member === '-' || member === ']')))
    throw invalidPattern(text)
  return { member, end: at + (isEscaped ? 2 : 1) }
}

const invalidPattern = (text: readonly string[]) =>
  new Error(`"${text.join('')}" is not a valid pattern`)

/**
 * Matches the parts in one pass. `ends[n]` is true if the parts so far can match the first n
 * characters of the path.
 */
function matchParts(parts: readonly Part[], path: readonly string[]): boolean {
  let ends = new Array<boolean>(path.length + 1).fill(false)
  ends[0] = true
  for (const part of parts) {
    const next = new Array<boolean>(path.length + 1).fill(false)
    let begun = false
    for (let at = 0; at <= path.length; at++) {
      const before = path[at - 1]
      if (part.kind === 'one') {
        next[at] = before !== undefined && ends[at - 1] === true && part.matches(before)
        continue
      }
      if (part.kind === 'star' && before === '/') begun = false
      const inside = begun
      const ended = ends[at] === true
      begun ||= ended
      next[at] = part.kind === 'directories' ? ended || (inside && before === '/') : begun
    }
    ends = next
  }
  return ends[path.length] === true
}
