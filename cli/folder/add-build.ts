import { join, resolve } from 'node:path'
import { adding, addReferred, type Collecting } from './add-paths.ts'
import { readIgnored } from './ignored.ts'
import type { BuildPlace } from './places.ts'
import { relativePath } from './relative-path.ts'
import { walk } from './walk.ts'

/**
 * Adds a build context without what its ignore file names, and the Dockerfile with the ignore file,
 * wherever these are.
 */
export async function addBuild(
  { context, dockerfile, user }: BuildPlace & { user: string },
  collecting: Collecting,
): Promise<void> {
  const { found } = collecting
  const optional = { user: `build of ${user}`, isRequired: false }
  const required = { ...optional, isRequired: true }
  const directory = await addReferred({ path: context, ...required }, collecting)
  if (directory === undefined) return
  const ignoreFiles: string[] = []
  if (dockerfile !== undefined) {
    const path = resolve(context, dockerfile)
    ignoreFiles.push(`${path}.dockerignore`)
    await addReferred({ path, ...required }, collecting)
  }
  ignoreFiles.push(join(context, '.dockerignore'))
  for (const path of ignoreFiles) {
    if (relativePath(found.root, path) !== undefined)
      await addReferred({ path, ...optional }, collecting)
  }
  const names = ignoreFiles.flatMap((path) => relativePath(found.root, path) ?? [])
  const { ignores, ignoresAll } = await readIgnored(found.root, names)
  const visitor = adding({ directory, why: `build context of ${user}` }, collecting)
  const inContext = (path: string) => path.slice(directory === '' ? 0 : directory.length + 1)
  await walk(found.root, directory, {
    file: (path, stats) => ignores(inContext(path)) || visitor.file(path, stats),
    link: (path, target) => ignores(inContext(path)) || visitor.link(path, target),
    other(path, reason) {
      if (!ignores(inContext(path).replace(/\/$/, ''))) visitor.other(path, reason)
    },
    enters: (path) => !ignoresAll(inContext(path)) && visitor.enters(path),
  })
}
