import { isIn } from './compose-places.ts'
import { dockerIgnore } from './docker-ignore.ts'
import type { PickedFile } from './pick-folder.ts'
import { isNamed } from './sort-folder.ts'

/** Files that builds do not need and that nothing else refers to. */
export interface IgnoredFiles {
  files: ReadonlySet<PickedFile>
  /** Their paths. A directory that is ignored as a whole has one path. */
  paths: readonly string[]
}

/**
 * Returns the files that the ignore files of build contexts leave out, except those that a compose
 * file names.
 */
export async function ignoredFiles(
  files: readonly PickedFile[],
  contexts: readonly string[],
  composeTexts: string,
): Promise<IgnoredFiles> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const builds = await Promise.all(
    contexts.map(async (directory) => {
      const at = directory === '' ? '' : `${directory}/`
      const file = byPath.get(`${at}Dockerfile.dockerignore`) ?? byPath.get(`${at}.dockerignore`)
      const text = (await file?.file.text()) ?? ''
      return { directory, at, ignores: dockerIgnore(text), hasExceptions: /^\s*!/m.test(text) }
    }),
  )
  const found = new Set<PickedFile>()
  const paths = new Set<string>()
  for (const file of files) {
    const { path } = file
    const of = builds.filter(({ directory }) => isIn(path, directory))
    const [build] = of
    if (!build || !of.every(({ at, ignores }) => ignores(path.slice(at.length)))) continue
    if (/(^|\/)(?:[^/]*\.dockerignore|Dockerfile)$/.test(path)) continue
    const steps = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
    if (steps.some((step) => isNamed(step, composeTexts))) continue
    found.add(file)
    const { at, ignores, hasExceptions } = build
    const whole = hasExceptions
      ? undefined
      : steps.find((step) => step.length > at.length && ignores(step.slice(at.length)))
    paths.add(whole === undefined || whole === path ? path : `${whole}/`)
  }
  return { files: found, paths: [...paths] }
}
