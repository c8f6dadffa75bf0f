/** A case of the Compose suite: the input of one stage or of a whole load, and the result. */
export interface Case {
  id: string
  kind: 'interpolate' | 'dotenv' | 'short-syntax' | 'merge' | 'load' | 'invalid'
  stage?: string
  env: Record<string, string>
  /** The input of one stage: a text or a tree. */
  input?: string
  model?: Record<string, unknown>
  base?: Record<string, unknown>
  override?: Record<string, unknown>
  preset?: Record<string, string>
  /** The input of a load. */
  files?: Record<string, string>
  compose_files?: string[]
  options?: CaseOptions
  process_home?: string
  expect: Expectation
}

export interface CaseOptions {
  consistency?: boolean
  normalize?: boolean
  resolvePaths?: boolean
  discardEnvFiles?: boolean
  prune?: boolean
  projectName?: string
  projectNameImperative?: boolean
  services?: string[]
  profiles?: string[]
}

/** The expected result. Exactly one field is set. Only the class of an error is compared. */
export interface Expectation {
  value?: unknown
  vars?: Record<string, string>
  model?: unknown
  project?: unknown
  valid?: boolean
  error?: string
  error_class?: string
}

/** The result of running a case. */
export type Outcome = { result: unknown } | { errorClass: string; message: string }
