/** A line that a builder may take for an instruction: its word in capitals, and what follows. */
export interface PossibleLine {
  word: string
  rest: string
}

/** Characters of an instruction that are read, with the lines on which it goes on. */
const longest = 8192

/** Words of instructions that can make a builder dial, or give a variable of those its value. */
const read = new Set(['FROM', 'ADD', 'COPY', 'RUN', 'ARG'])

/**
 * Returns every line of a Dockerfile that any builder could take for an instruction that it acts on.
 * Builders differ in here-documents, comments and escapes, so that no reading of ours is theirs for
 * certain: a line counts wherever it stands, also in a here-document or an `ONBUILD`, and with each
 * escape character. Returns undefined if an instruction is too long to be told.
 */
export function possibleLines(text: string): PossibleLine[] | undefined {
  // The builder trims U+0085 and takes U+0130 for a small i.
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
