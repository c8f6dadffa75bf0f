import { Problem } from '../yaml/problem.ts'
import type { Path } from '../yaml/tree.ts'

/** An attribute of a project that reaches outside the stack. */
export interface Finding {
  path: Path
  /** What the attribute requests. */
  detail: string
  /**
   * A text that identifies the list entry. In merged lists the index does not tell the position in
   * a file.
   */
  near?: string
}

/** Converts a finding to a problem. */
export function policyProblem({ path, detail, near }: Finding): Problem {
  const text = `${detail}: this needs the permission stacks:privileged`
  return new Problem('policy', text, { path, near })
}
