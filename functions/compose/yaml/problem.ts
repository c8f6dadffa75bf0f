import type { Path } from './tree.ts'
import { pathText } from './tree.ts'

/**
 * The stage of loading that failed: YAML syntax, interpolation, schema, semantics, decoding of a
 * value, or the policy for users without access to the host. `hidden`: it depends on the content of
 * a file that the caller may not read.
 */
export type ProblemKind =
  | 'yaml'
  | 'interpolation'
  | 'schema'
  | 'semantic'
  | 'decode'
  | 'policy'
  | 'hidden'

/** Receives problems: it throws them, or keeps them so that the stage goes on. */
export type Report = (problem: Problem) => void

/** A `Report` that ends the load at the first problem. */
export const raise: Report = (problem) => {
  throw problem
}

/** Returns the result of `work`, or `instead` if it ends with a problem that `report` keeps. */
export function attempt<T>(work: () => T, report: Report, instead: T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    report(error)
    return instead
  }
}

/** A position in a file. Lines and columns start at 1. */
export interface Position {
  file: string
  line?: number
  column?: number
}

/**
 * Thrown by the stages of the loader. The loader adds the position and turns it into a `Failure`:
 * 403 for the kind `policy`, 422 for all others.
 */
export class Problem extends Error {
  readonly kind: ProblemKind
  /** The message without a position. */
  readonly detail: string
  readonly path: Path
  readonly position: Position | undefined
  /**
   * If set, `path` ends in a list of this attribute, and the entry meant is the one that holds this
   * text. Its index may differ between files.
   */
  readonly near: string | undefined
  /** The path of what the value at `path` refers to and the files do not have. */
  readonly missing: Path | undefined

  constructor(
    kind: ProblemKind,
    detail: string,
    where: {
      path?: Path
      position?: Position | undefined
      near?: string | undefined
      missing?: Path
    } = {},
  ) {
    const path = where.path ?? []
    super(path.length > 0 ? `${pathText(path)}: ${detail}` : detail)
    this.name = 'Problem'
    this.kind = kind
    this.detail = detail
    this.path = path
    this.position = where.position
    this.near = where.near
    this.missing = where.missing
  }
}

/** The lines of one error. */
const linesMax = 50

/** Returns the message of an error about several problems: one line each, up to 50. */
export function problemLines(lines: readonly string[]): string {
  if (lines.length <= linesMax) return lines.join('\n')
  const left = lines.length - linesMax + 1
  return [...lines.slice(0, linesMax - 1), `… and ${left} more problems`].join('\n')
}

/** Returns a problem of the kind `semantic`, the most frequent one. */
export const semantic = (path: Path, detail: string) => new Problem('semantic', detail, { path })
