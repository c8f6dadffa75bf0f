/**
 * A part of a pattern: `*` (without slashes), a final `**`, `**` before more, or a single
 * character.
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
 * any number of directories, `[a-z]` one of its characters, and `\` escapes the next character. The
 * time to match is proportional to the length of the pattern times that of the path, whatever the
 * pattern.
 *
 * @throws Error if a `[` has no end
 */
export function pathPattern(text: string): PathPattern {
  const parts = partsOf(text)
  return { matches: (path) => matchParts(parts, path) }
}

function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let at = 0
  while (at < text.length) {
    if (text.startsWith('**', at)) {
      at += 2
      if (text[at] === '/') at += 1
      parts.push({ kind: at >= text.length ? 'rest' : 'directories' })
      continue
    }
    const character = text.charAt(at)
    if (character === '[') {
      const end = classEnd(text, at)
      parts.push({ kind: 'one', matches: classOf(text.slice(at, end)) })
      at = end
      continue
    }
    if (character === '*') parts.push({ kind: 'star' })
    else if (character === '?') parts.push({ kind: 'one', matches: (other) => other !== '/' })
    else {
      if (character === '\\' && at + 1 < text.length) at += 1
      const same = text.charAt(at)
      parts.push({ kind: 'one', matches: (other) => other === same })
    }
    at += 1
  }
  return parts
}

function classEnd(text: string, begin: number): number {
  let at = text[begin + 1] === '^' ? begin + 2 : begin + 1
  if (text[at] === ']') at += 1
  for (; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === ']') return at + 1
  }
  throw new Error(`"${text}" is not a valid pattern: unterminated [`)
}

function classOf(text: string): (character: string) => boolean {
  const negated = text[1] === '^'
  const members = text.slice(negated ? 2 : 1, -1)
  const ranges: [string, string][] = []
  for (let at = 0; at < members.length; at++) {
    if (members[at] === '\\' && at + 1 < members.length) at += 1
    const first = members.charAt(at)
    if (members[at + 1] === '-' && at + 2 < members.length) {
      ranges.push([first, members.charAt(at + 2)])
      at += 2
    } else ranges.push([first, first])
  }
  return (character) =>
    character !== '/' &&
    negated !== ranges.some(([from, to]) => from <= character && character <= to)
}

/**
 * Matches the parts in one pass. `ends[n]` is true if the parts so far can match the first n
 * characters of the path.
 */
function matchParts(parts: readonly Part[], path: string): boolean {
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
