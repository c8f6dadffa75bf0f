import { loadWith } from '../../functions/compose/load/load.ts'
import { shownProject } from '../../functions/compose/show/shown-project.ts'
import { Problem } from '../../functions/compose/yaml/problem.ts'
import { Failure } from '../../functions/core/errors.ts'
import type { Answer } from './oracle.ts'
import { readProject } from './project-files.ts'

/** Returns our answer for the project in a directory: its model, or why it is rejected. */
export function ourModel(directory: string): Answer {
  try {
    const { input, name } = readProject(directory)
    const { project } = loadWith(input, {
      name,
      consistency: true,
      normalize: true,
      resolvePaths: true,
      discardEnvFiles: true,
      prune: true,
      services: [],
    })
    return { model: shownProject(project) }
  } catch (error) {
    if (error instanceof Failure || error instanceof Problem) return { rejected: error.message }
    throw error
  }
}
