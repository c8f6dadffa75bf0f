import type { Path } from './tree.ts'
import { pathText } from './tree.ts'

/**
 * The stage of loading that failed: YAML syntax, interpolation, schema, semantics, decoding of a
 * value, or the policy for users without access to the host.
 */
export type ProblemKind = 'yaml' | 'interpolation' | 'schema' | 'semantic' | 'decode' | 'policy'

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

  constructor(
    kind: ProblemKind,
    detail: string,
    where: { path?: Path; position?: Position | undefined; near?: string | undefined } = {},
  ) {
    const path = where.path ?? []
    super(path.length > 0 ? `${pathText(path)}: ${detail}` : detail)
    this.name = 'Problem'
    this.kind = kind
    this.detail = detail
    this.path = path
    this.position = where.position
    this.near = where.near
  }
}

/** Returns a problem of the kind `semantic`, the most frequent one. */
export const semantic = (path: Path, detail: string) => new Problem('semantic', detail, { path })
