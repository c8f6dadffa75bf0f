import { relativeTo } from '../paths.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import type { LoadContext } from './load-file.ts'

/**
 * Returns the paths in the stack's directory whose contents are secret: what `env_file` of a
 * service or an include names, and what `file` of a secret names, which may be a directory. A path
 * is listed even if the stack has no such file.
 */
export function findSecretFiles(
  services: readonly Record<string, Service>[],
  { secrets }: Pick<Project, 'secrets'>,
  { files, read }: Pick<LoadContext, 'files' | 'read'>,
): string[] {
  const named = services
    .flatMap((group) => Object.values(group))
    .flatMap(({ env_file = [] }) => env_file.map(({ path }) => path))
  const kept = Object.values(secrets).flatMap(({ file }) => (file === undefined ? [] : [file]))
  const inDirectory = [...named, ...kept].flatMap((path) => relativeTo(files.directory, path) ?? [])
  // The variable files of includes are the ones that were read without documents.
  const variables = [...read].flatMap(([path, documents]) => (documents.length === 0 ? [path] : []))
  return [...new Set([...inDirectory, ...variables])].sort()
}
