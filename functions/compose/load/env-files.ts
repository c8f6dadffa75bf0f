import type { Service } from '../service.ts'
import type { EnvFile } from '../service-parts.ts'
import { type Report, semantic } from '../yaml/problem.ts'
import { isMap, mapOf } from '../yaml/tree.ts'
import { parseDotenv, parseRawEnv } from './dotenv.ts'
import type { StackFiles } from './stack-files.ts'
import { findText, isSecret, requireText, shownPath } from './stack-files.ts'

/** The input for reading the files that services name. */
export interface EnvFileContext {
  files: StackFiles
  variables: ReadonlyMap<string, string>
  /**
   * Removes `env_file` and `label_file` from services once merged, as the Compose tools do before a
   * deploy.
   */
  discard: boolean
  /** Receives the problems of lines of a file. */
  report?: Report
}

/**
 * Merges the variables of a service's `env_file` and the labels of its `label_file`. The service's
 * own `environment` and `labels` take precedence.
 *
 * @throws Problem for a file that is not valid or too large
 */
export function mergeFiles(name: string, service: Service, context: EnvFileContext): Service {
  const merged = { ...service }
  const environment = new Map<string, string | null>(readEnvFiles(name, service, context))
  for (const [key, value] of Object.entries(service.environment ?? {})) environment.set(key, value)
  if (environment.size > 0) merged.environment = mapOf<string | null>(environment)
  const labels = new Map(readLabelFiles(name, service, context))
  for (const [key, value] of Object.entries(service.labels ?? {})) labels.set(key, value)
  if (labels.size > 0) merged.labels = mapOf<string>(labels)
  if (context.discard) {
    delete merged.env_file
    delete merged.label_file
  }
  return merged
}

function readEnvFiles(
  name: string,
  service: Service,
  context: EnvFileContext,
): Map<string, string> {
  const result = new Map<string, string>()
  const environment = isMap(service.environment) ? service.environment : {}
  const lookup = (key: string) =>
    context.variables.get(key) ??
    (Object.hasOwn(environment, key) ? (environment[key] ?? undefined) : undefined)
  for (const [index, file] of (service.env_file ?? []).entries()) {
    const text = envText(file, ['services', name, 'env_file', index], context)
    // No stage of a load looks at these values, so a secret file need not be read to check it.
    if (text === undefined || isSecret(context.files, file.path)) continue
    const shown = shownPath(context.files, file.path)
    const parsed =
      file.format === 'raw'
        ? parseRawEnv(text, lookup)
        : parseDotenv(text, shown, lookup, result, context.report)
    for (const [key, value] of parsed) result.set(key, value)
  }
  return result
}

function envText(file: EnvFile, path: (string | number)[], context: EnvFileContext) {
  if (file.format !== undefined && file.format !== 'raw') {
    throw semantic([...path, 'format'], `unsupported env_file format "${file.format}"`)
  }
  if ((file.path ?? '') === '') throw semantic([...path, 'path'], 'names no file')
  if (file.path === '/dev/null') return ''
  return file.required === false
    ? findText(context.files, file.path, path)
    : requireText(context.files, file.path, path)
}

function readLabelFiles(
  name: string,
  service: Service,
  context: EnvFileContext,
): Map<string, string> {
  const result = new Map<string, string>()
  for (const [index, file] of (service.label_file ?? []).entries()) {
    const text = requireText(context.files, file, ['services', name, 'label_file', index])
    if (text === undefined || isSecret(context.files, file)) continue
    const parsed = parseDotenv(
      text,
      shownPath(context.files, file),
      (key) => context.variables.get(key),
      result,
      context.report,
    )
    for (const [key, value] of parsed) result.set(key, value)
  }
  return result
}
