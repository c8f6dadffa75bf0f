import type { ComposeInput } from '../project.ts'
import type { Stages } from './load-file.ts'
import type { NameSource } from './project-name.ts'

/** Options to load differently from a deploy, for tests of single stages. */
export interface LoadOptions extends Stages {
  name: NameSource
  /** Removes `env_file` and `label_file` once they are merged. */
  discardEnvFiles: boolean
  /** Removes resources that no service uses. */
  prune: boolean
  /** The meaning of `~`, overriding the variable HOME. */
  home?: string
  /** Loads only these services and their dependencies. Empty for all services. */
  services: string[]
  /**
   * Returns the text of a file that `input.files` does not have, or undefined if it does not exist.
   * Paths are relative to the project's directory, or absolute if they lie outside of it.
   */
  read?(path: string): string | undefined
}

/** The options of a deploy. */
export const deployOptions = (input: ComposeInput): LoadOptions => ({
  name: { given: input.name, rule: 'only' },
  consistency: true,
  normalize: true,
  resolvePaths: true,
  discardEnvFiles: true,
  prune: true,
  services: [],
})
