import type { Path } from './tree.ts'
import { pathText } from './tree.ts'

/**
 * The stage of loading that refused: YAML, interpolation, the schema, the meaning, a value's form, or the policy for those
 * who may not reach the host.
 */
export type ProblemKind = 'yaml' | 'interpolation' | 'schema' | 'semantic' | 'decode' | 'policy'

/** Where in which file; lines and columns begin at 1. */
export interface Position {
  file: string
  line?: number
  column?: number
}

/** What the loader's stages throw. The loader adds the position and turns it into a `Failure`: 422, 403 for the policy. */
export class Problem extends Error {
  readonly kind: ProblemKind
  /** What the caller reads, without any position. */
  readonly detail: string
  readonly path: Path
  readonly position: Position | undefined
  /** The path ends in a list of this attribute: a text that the entry meant holds, wherever it stands in its file. */
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

/** A problem of meaning at a path: the most frequent kind. */
export const semantic = (path: Path, detail: string) => new Problem('semantic', detail, { path })
