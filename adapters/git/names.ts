import { pathProblem } from '../../functions/core/stacks/file-path.ts'

/** Names in a path. */
const depthMax = 32

/** Characters that the file system of macOS ignores in names. */
const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** What some file system takes for `.git`: in any case, shortened, or with a stream's name. */
const repositoryName = /^(\.git|git~\d+)[ .]*(:.*)?$/i

/** Returns why a path in a repository is refused, or undefined. */
export function nameProblem(path: string): string | undefined {
  const problem = pathProblem(path)
  if (problem) return problem
  const names = path.split('/')
  if (names.length > depthMax) return `is deeper than ${depthMax} folders`
  return names.some((name) => repositoryName.test(name.replaceAll(ignoredByHfs, '')))
    ? 'has a name that a file system may take for .git'
    : undefined
}
