/** One part of a pattern: `*` (no slash), `**` at the end, `**` and a slash, or a single character. */
type Part =
  | { kind: 'star' }
  | { kind: 'rest' }
  | { kind: 'directories' }
  | { kind: 'one'; matches(character: string): boolean }

/** A pattern of an ignore file, ready to be compared with paths. */
export interface PathPattern {
  matches(path: string): boolean
}

/**
 * Reads a pattern as Docker's builders do: `*` and `?` stand for anything but a slash, `**` for any number of
 * directories, `[a-z]` for one of its characters, `\` takes the next one as it is. Throws an `Error` for a class that
 * does not end. The time to match grows with the lengths of pattern and path alone, whatever the pattern.
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
    const character = text[at]!
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
      const same = text[at]!
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
  throw new Error(`"${text}" is not a pattern: [ has no end`)
}

function classOf(text: string): (character: string) => boolean {
  const negated = text[1] === '^'
  const members = text.slice(negated ? 2 : 1, -1)
  const ranges: [string, string][] = []
  for (let at = 0; at < members.length; at++) {
    if (members[at] === '\\' && at + 1 < members.length) at += 1
    const first = members[at]!
    if (members[at + 1] === '-' && at + 2 < members.length) {
      ranges.push([first, members[at + 2]!])
      at += 2
    } else ranges.push([first, first])
  }
  return (character) =>
    character !== '/' &&
    negated !== ranges.some(([from, to]) => from <= character && character <= to)
}

/** Goes through the parts once; `ends` says where in the path those so far can have ended. */
function matchParts(parts: readonly Part[], path: string): boolean {
  let ends = new Array<boolean>(path.length + 1).fill(false)
  ends[0] = true
  for (const part of parts) {
    const next = new Array<boolean>(path.length + 1).fill(false)
    let begun = false
    for (let at = 0; at <= path.length; at++) {
      const before = path[at - 1]
      if (part.kind === 'one') {
        next[at] = at > 0 && ends[at - 1]! && part.matches(before!)
        continue
      }
      if (part.kind === 'star' && before === '/') begun = false
      const inside = begun
      begun ||= ends[at]!
      next[at] = part.kind === 'directories' ? ends[at]! || (inside && before === '/') : begun
    }
    ends = next
  }
  return ends[path.length]!
}
