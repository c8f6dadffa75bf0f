/** Where something is written in a YAML document. */
export interface Place {
  /** The keys from the root; `-` is an entry of a list. */
  path: readonly string[]
  /** Where the word begins. */
  from: number
  /** What is written of it. */
  word: string
  mayBeKey: boolean
  mayBeValue: boolean
}

/** A key or an entry of a list, and the column where it begins. */
interface Level {
  column: number
  /** `-` for an entry of a list. */
  name: string
}

/** The keys and entries that a line opens, and what stands behind the last of them. */
interface LineParts {
  levels: Level[]
  rest: string
  restColumn: number
  /** Whether the rest follows a colon. */
  isValue: boolean
}

const keyPattern =
  /^(?:"([^"]*)"|'([^']*)'|([^\s#'"[\]{},&*!|>%@`-][^#:]*?|-[^\s:#][^#:]*?))\s*:(?:\s+|$)/

/** Returns the parts of a line, by its indentation alone: the document may be broken elsewhere. */
export function partsOf(line: string): LineParts {
  const levels: Level[] = []
  let column = line.length - line.trimStart().length
  let rest = line.slice(column)
  for (;;) {
    const dash = /^-(?:\s+|$)/.exec(rest)
    if (!dash) break
    levels.push({ column, name: '-' })
    column += dash[0].length
    rest = rest.slice(dash[0].length)
  }
  const key = keyPattern.exec(rest)
  if (!key) return { levels, rest, restColumn: column, isValue: false }
  levels.push({ column, name: key[1] ?? key[2] ?? key[3] ?? '' })
  column += key[0].length
  return { levels, rest: rest.slice(key[0].length), restColumn: column, isValue: true }
}

const isBlank = (line: string) => /^\s*(?:#.*)?$/.test(line)
const opensBlockText = (line: string) => /(?:^|[\s:-])[|>][+-]?\d?[+-]?\s*(?:#.*)?$/.test(line)

/**
 * Returns the keys above a column of a line, or undefined inside of a block of text.
 *
 * @param isEntry whether an entry of a list begins there: its key may be in the same column
 */
function keysAbove(
  lines: readonly string[],
  index: number,
  column: number,
  isEntry: boolean,
): string[] | undefined {
  const keys: string[] = []
  let limit = column
  let mayBeSame = isEntry
  for (let at = index - 1; at >= 0 && (limit > 0 || mayBeSame); at -= 1) {
    const line = lines[at] ?? ''
    if (isBlank(line)) continue
    let isAbove = false
    for (const level of partsOf(line).levels.reverse()) {
      const isParent =
        level.column < limit || (mayBeSame && level.column === limit && level.name !== '-')
      if (!isParent) continue
      keys.unshift(level.name)
      isAbove = true
      limit = level.column
      mayBeSame = level.name === '-'
    }
    if (isAbove && opensBlockText(line) && at < index) return undefined
  }
  return keys
}

/** Returns where an offset is, or undefined in a comment or a block of text. */
export function placeAt(text: string, offset: number): Place | undefined {
  const lines = text.slice(0, offset).split('\n')
  const index = lines.length - 1
  const line = lines[index] ?? ''
  if (/(?:^|\s)#/.test(line)) return undefined
  const { levels, rest, restColumn, isValue } = partsOf(line)
  const first = levels[0]
  const above = keysAbove(lines, index, first?.column ?? restColumn, first?.name === '-')
  if (!above) return undefined
  return {
    path: [...above, ...levels.map(({ name }) => name)],
    from: offset - rest.length,
    word: rest,
    mayBeKey: !isValue,
    mayBeValue: isValue || levels.at(-1)?.name === '-',
  }
}

/** Returns the path of the key that is written at an offset, and where it stands. */
export function keyAt(
  text: string,
  offset: number,
): { path: string[]; from: number; to: number } | undefined {
  const begin = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', offset)
  const line = text.slice(begin, end === -1 ? text.length : end)
  const { levels, isValue } = partsOf(line)
  const key = levels.at(-1)
  const first = levels[0]
  if (!key || !first || !isValue) return undefined
  const [from, to] = [begin + key.column, begin + key.column + key.name.length]
  if (offset < from || offset > to) return undefined
  const lines = text.slice(0, begin).split('\n')
  const above = keysAbove(lines, lines.length - 1, first.column, first.name === '-')
  return above && { path: [...above, ...levels.map(({ name }) => name)], from, to }
}

/** Returns the keys directly below a path of names, such as all services. */
export function keysBelow(text: string, path: readonly string[]): string[] {
  const lines = text.split('\n')
  const found = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (isBlank(line)) continue
    const [level] = partsOf(line).levels
    if (!level || level.name === '-' || (path.length === 0) !== (level.column === 0)) continue
    const above = keysAbove(lines, index, level.column, false)
    if (above?.join('\n') === path.join('\n')) found.add(level.name)
  }
  return [...found]
}
