import type { Project } from '../project.ts'
import { addStep, type Plan } from './plan-steps.ts'

export interface WriteOptions {
  /** Files to write to the project's directory first; empty if they are up to date. */
  files: readonly { path: string; mode: number }[]
}

/** Adds the step that writes the project's files, if there are any. */
export function addWrite(
  result: Plan,
  project: Project,
  options: WriteOptions,
): number | undefined {
  if (options.files.length === 0) return undefined
  const files = options.files.map(({ path, mode }) => ({ path, mode }))
  const call = { action: 'write', kind: 'files', name: project.working_dir } as const
  return addStep(result, { reason: filesReason(files) }, { ...call, files })
}

/** Files that the reason of their step names. */
const namedFilesMax = 3

function filesReason(files: readonly { path: string }[]): string {
  const named = files.slice(0, namedFilesMax).map(({ path }) => path)
  const more = files.length > named.length ? ` and ${files.length - named.length} more` : ''
  return `files changed: ${named.join(', ')}${more}`
}
