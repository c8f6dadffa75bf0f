import { heredocsIn } from './dockerfile-heredocs.ts'
import {
  directivesOf,
  type Escape,
  type Instruction,
  instructionIn,
  joinLines,
  linesOf,
} from './dockerfile-lines.ts'
import { type PossibleInstructions, possibleInstructions } from './possible-instructions.ts'

/** Maximum length of a Dockerfile that is read, in characters. */
const longest = 1_000_000

/** An instruction as a certain builder reads it. */
export interface ReadInstruction extends Instruction {
  hasHeredoc: boolean
}

/**
 * A Dockerfile as builders may read it. Everything that the service knows about a Dockerfile is
 * derived from this, so what is fetched for a build is what was judged.
 */
export interface Dockerfile {
  /** The image of the `# syntax=` directive, or undefined without one. */
  syntax: string | undefined
  /**
   * The instructions as BuildKit reads them, and as a builder reads them that does not know
   * here-documents. The text does not determine which one builds. Empty if it is too long.
   */
  readings: readonly (readonly ReadInstruction[])[]
  /** Every instruction that any builder could read; see `possibleInstructions`. */
  readonly possible: PossibleInstructions
}

/** Reads a Dockerfile. It is the only reader: no other code looks at the text of one. */
export function readDockerfile(text: string): Dockerfile {
  const lines = text.length > longest ? [] : linesOf(text)
  const directives = directivesOf(lines)
  const escapeWith = directives.get('escape') === '`' ? '`' : '\\'
  let possible: PossibleInstructions | undefined
  return {
    syntax: directives.get('syntax')?.split(/\s/)[0],
    readings: [true, false].map((heredocs) => readingOf(lines, escapeWith, heredocs)),
    get possible() {
      possible ??= possibleInstructions(text)
      return possible
    },
  }
}

function readingOf(
  lines: readonly string[],
  escapeWith: Escape,
  heredocs: boolean,
): ReadInstruction[] {
  const joined = joinLines(lines, escapeWith)
  const found: ReadInstruction[] = []
  for (let index = 0; index < lines.length; ) {
    const { text = '', next = lines.length } = joined[index] ?? {}
    const instruction = instructionIn(text, index + 1)
    const documents = instruction && heredocs ? heredocsOf(instruction) : []
    if (instruction) found.push({ ...instruction, hasHeredoc: documents.length > 0 })
    index = next
    for (const document of documents) index = afterHeredoc(lines, index, document)
  }
  return found
}

/** Only these instructions have here-documents, unless their arguments are a list in JSON. */
function heredocsOf({ line, word, text }: Instruction): ReturnType<typeof heredocsIn> {
  const inner = word === 'ONBUILD' ? instructionIn(text, line) : undefined
  const { word: own, text: rest } = inner ?? { word, text }
  return ['RUN', 'COPY', 'ADD'].includes(own) && !isList(rest) ? heredocsIn(rest) : []
}

function isList(text: string): boolean {
  if (!text.startsWith('[')) return false
  try {
    return Array.isArray(JSON.parse(text))
  } catch {
    return false
  }
}

/**
 * Returns the index of the line after a here-document. If the document never ends, nothing follows
 * it; the builder refuses it.
 */
function afterHeredoc(
  lines: readonly string[],
  start: number,
  { name, chomp }: { name: string; chomp: boolean },
): number {
  for (let index = start; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if ((chomp ? line.replace(/^\t+/, '') : line) === name) return index + 1
  }
  return lines.length
}
