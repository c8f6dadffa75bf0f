/** A line that a builder may take for an instruction: its word in upper case, and what follows. */
export interface PossibleLine {
  word: string
  rest: string
}

/** Maximum length of an instruction including its continuation lines, in characters. */
const longest = 8192

/**
 * Words of instructions that can make a builder dial, or that set a variable used in such an
 * instruction.
 */
const read = new Set(['FROM', 'ADD', 'COPY', 'RUN', 'ARG'])

/**
 * Returns every line of a Dockerfile that a builder could take for an instruction and act on.
 * Builders differ in here-documents, comments and escapes, so no single reading is safe: a line
 * counts wherever it is, even in a here-document or an `ONBUILD`, and with each escape character.
 * Returns undefined if an instruction is too long to be checked.
 */
export function possibleLines(text: string): PossibleLine[] | undefined {
  // The builder trims U+0085 and converts U+0130 to the lower-case letter i.
  const lines = text
    .replaceAll(/[\uFEFF\u0085]/g, ' ')
    .replaceAll('\u0130', 'I')
    .split(/\r?\n/)
  const found: PossibleLine[] = []
  for (const mark of ['\\', '`']) {
    let next = ''
    for (const line of lines.reverse()) {
      const joined = joinedTo(line, next, mark)
      const possible = instruction(joined)
      if (possible && joined.length >= longest && possible.word !== 'RUN') return undefined
      if (possible) found.push(possible)
      if (!isSkipped(line)) next = joined
    }
    lines.reverse()
  }
  return found.reverse()
}

const isSkipped = (line: string) => line.trim() === '' || line.trim().startsWith('#')

function joinedTo(line: string, next: string, mark: string): string {
  const trimmed = line.trimEnd()
  return (trimmed.endsWith(mark) ? trimmed.slice(0, -1) + next : line).slice(0, longest)
}

function instruction(joined: string): PossibleLine | undefined {
  const [, first = '', after = ''] = /^\s*([A-Za-z]+)\s+(.*)$/s.exec(joined) ?? []
  const word = first.toUpperCase()
  if (word === 'ONBUILD') return instruction(after)
  return read.has(word) ? { word, rest: after.trim() } : undefined
}
