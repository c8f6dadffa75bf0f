/** An instruction of a Dockerfile: its word in upper case, its flags, and the rest of its line. */
export interface Instruction {
  word: string
  /** Without the leading `--`: `from=base`. */
  flags: string[]
  rest: string
}

/** A Dockerfile before variables are replaced. */
export interface DockerfileLines {
  /** The image of the `# syntax=` line, or undefined without one. */
  syntax: string | undefined
  instructions: Instruction[]
}

const directive = /^#\s*([a-z][a-z0-9]*)\s*=\s*(.+)$/i
const heredoc = /<<-?(["']?)([A-Za-z_][A-Za-z0-9_]*)\1/g

/**
 * Parses the lines of a Dockerfile as a builder does: directives, continued lines and, if
 * `documents` is set, here-documents, which the classic builder does not know.
 */
export function dockerfileLines(text: string, documents: boolean): DockerfileLines {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const directives = directivesOf(lines)
  const continued = directives.get('escape') === '`' ? '`' : '\\'
  const instructions: Instruction[] = []
  for (let index = 0; index < lines.length; ) {
    const { joined, next } = joinedLine(lines, index, continued)
    index = next
    const instruction = instructionOf(joined)
    if (!instruction) continue
    instructions.push(instruction)
    for (const end of documents ? documentEnds(instruction) : [])
      index = afterDocument(lines, index, end)
  }
  return { syntax: directives.get('syntax')?.split(/\s/)[0], instructions }
}

/**
 * Returns the directives. They come before everything else except a `#!` line; the first of each
 * name counts.
 */
function directivesOf(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const [index, line] of lines.entries()) {
    if (index === 0 && line.startsWith('#!')) continue
    const [, key, value] = directive.exec(line.trim()) ?? []
    if (key === undefined || value === undefined) break
    if (!found.has(key.toLowerCase())) found.set(key.toLowerCase(), value)
  }
  return found
}

/**
 * Returns an instruction with its continuation lines. A line that ends with the escape character
 * continues on the next; comments in between are skipped.
 */
function joinedLine(lines: readonly string[], start: number, continued: string) {
  let joined = ''
  let index = start
  for (; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (line.trim().startsWith('#') || (joined !== '' && line.trim() === '')) continue
    const trimmed = line.trimEnd()
    if (!trimmed.endsWith(continued)) return { joined: joined + line, next: index + 1 }
    joined += trimmed.slice(0, -1)
  }
  return { joined, next: index }
}

function instructionOf(line: string): Instruction | undefined {
  const [, word, after = ''] = /^\s*([A-Za-z]+)(?:\s+(.*))?$/s.exec(line) ?? []
  if (word === undefined) return undefined
  const flags: string[] = []
  let rest = after.trim()
  for (;;) {
    const [whole, flag] = /^--(\S+)\s*/.exec(rest) ?? []
    if (whole === undefined || flag === undefined) break
    flags.push(flag)
    rest = rest.slice(whole.length)
  }
  return { word: word.toUpperCase(), flags, rest }
}

function documentEnds({ word, rest }: Instruction): string[] {
  if (!['RUN', 'COPY', 'ADD'].includes(word)) return []
  return [...rest.matchAll(heredoc)].map(([, , name = '']) => name)
}

/**
 * Returns the index of the line after a here-document. If the document never ends, nothing follows
 * it; the builder refuses it.
 */
function afterDocument(lines: readonly string[], start: number, end: string): number {
  for (let index = start; index < lines.length; index += 1) {
    if (lines[index]?.replace(/^\t+/, '') === end) return index + 1
  }
  return lines.length
}
