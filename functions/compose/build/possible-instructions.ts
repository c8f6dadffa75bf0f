import { type Instruction, instructionIn, joinLines, linesOf } from './dockerfile-lines.ts'
import { anySpace, noSpace } from './white-space.ts'

/** The instructions that any builder could read in a Dockerfile. */
export interface PossibleInstructions {
  /** In the order of their lines. */
  instructions: readonly Instruction[]
  /** Names of build arguments that have a value in all builders, whatever they read. */
  certain: ReadonlySet<string>
  /** Images that some builder could take for the frontend. */
  frontends: readonly string[]
  /** What cannot be judged, with its line; undefined if everything can. */
  problem: string | undefined
}

/** Maximum length of a Dockerfile, in characters. */
const longestText = 100_000

/** Maximum length of an instruction including its continuation lines, in characters. */
const longest = 8192

/**
 * Words of instructions that can make a builder dial, or that set a variable used in such an
 * instruction.
 */
const judged = new Set(['FROM', 'ADD', 'COPY', 'RUN', 'ARG'])

/**
 * Returns every instruction that any builder could read in a Dockerfile and act on. Builders differ
 * in here-documents, comments and escapes, so no single reading is safe: a line counts wherever it
 * is, even in a here-document or an `ONBUILD`, and with each escape character.
 */
export function possibleInstructions(text: string): PossibleInstructions {
  const nothing = { instructions: [], certain: new Set<string>(), frontends: [] }
  if (text.length > longestText)
    return { ...nothing, problem: `it is longer than ${longestText} characters` }
  const lines = linesOf(text)
  const found = new Map<string, Instruction & { length: number }>()
  for (const escapeWith of ['\\', '`'] as const) {
    for (const [index, { text: joined }] of joinLines(lines, escapeWith, longest + 1).entries()) {
      const instruction = judgedInstruction(joined, index + 1)
      if (!instruction) continue
      // Most lines are the same with both escape characters.
      const { line, word, text: after } = instruction
      found.set(`${line} ${word} ${after}`, { ...instruction, length: joined.length })
    }
  }
  const instructions = [...found.values()].sort((one, other) => one.line - other.line)
  const problem = textProblem(text, lines) ?? first(instructions, lengthProblem)
  return { instructions, certain: certainArguments(lines), frontends: frontendsIn(text), problem }
}

const first = <T, R>(all: readonly T[], of: (one: T) => R | undefined): R | undefined => {
  for (const one of all) {
    const found = of(one)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the instruction of a joined line, without the `ONBUILD` before it. */
function judgedInstruction(joined: string, line: number): Instruction | undefined {
  let found = instructionIn(joined, line)
  while (found?.word === 'ONBUILD') found = instructionIn(found.text, line)
  return found && judged.has(found.word) ? found : undefined
}

/** Matches JSON, whose key for the frontend can be written in many ways. */
const json = new RegExp(`^(?:${anySpace}|#[^\\n]*\\n)*\\{`)

/** Matches a directive that only some builders see. */
const oddDirective = new RegExp(
  `^${anySpace}*(?:#|//)(?![ \\t]*[a-z]+[ \\t]*=)${anySpace}*(?:syntax|escape|check)${anySpace}*=`,
  'iu',
)

/** Returns the lines before the first instruction. No builder reads directives after it. */
function headOf(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => !comment.test(line))
  return end < 0 ? lines : lines.slice(0, end)
}

const comment = new RegExp(`^${anySpace}*(?:#|//|$)`)

function textProblem(text: string, lines: readonly string[]): string | undefined {
  if (json.test(text)) return 'its first line is not valid in a Dockerfile'
  const odd = headOf(lines).findIndex((line) => oddDirective.test(line))
  if (odd >= 0) return `line ${odd + 1}: a space that only some builders skip`
  // Builders differ in whether a line with one continues.
  const index = lines.findIndex((line) => line.includes('\r'))
  return index < 0 ? undefined : `line ${index + 1}: a carriage return inside a line`
}

/**
 * Matches flags whose end all builders see alike, and the first character after them. A command may
 * be of any length, but its flags must be in the part that is judged.
 */
const plainFlags = /^(?:--[\w-]+=[^\s"'\\`\u0080-\uffff]*[ \t]+)*[^\s-]/

function lengthProblem({ line, word, text, length }: Instruction & { length: number }) {
  if (length <= longest) return undefined
  if (word !== 'RUN') return `line ${line}: \`${word}\` is longer than ${longest} characters`
  if (plainFlags.test(text)) return undefined
  return `line ${line}: the flags of \`RUN\` do not end within ${longest} characters`
}

/**
 * Returns the names that have a default before everything else, in a form that all builders read
 * alike.
 */
function certainArguments(lines: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const line of lines) {
    if (/^(#.*)?$/.test(line)) continue
    const [, name] = /^ARG ([A-Za-z_]\w*)=[\w./:@-]+$/.exec(line) ?? []
    if (name === undefined) break
    names.add(name)
  }
  return names
}

const frontendsIn = (text: string) => [...text.matchAll(frontend)].map(([, image = '']) => image)

const frontend = new RegExp(
  `(?:#|//)${anySpace}*syntax${anySpace}*=${anySpace}*(${noSpace}+)`,
  'giu',
)
