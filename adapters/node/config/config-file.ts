import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ConfigError } from './schema.ts'

/** A configuration file, with its nested keys flattened. */
interface ConfigFile {
  /** Undefined if there is no file. */
  path: string | undefined
  values: Record<string, unknown>
}

/**
 * Reads the file `named`, or `config.yaml` in the data directory. If the latter does not exist,
 * `instead` is used as its text.
 *
 * @throws ConfigError if the named file does not exist, or the file is not a YAML mapping
 */
export function readConfigFile(
  named: string | undefined,
  dataDirectory: string,
  instead: string | undefined,
): ConfigFile {
  const path = named ?? join(dataDirectory, 'config.yaml')
  const isThere = existsSync(path)
  if (!isThere && named) throw new ConfigError(`SERVICE_CONFIG: there is no file ${named}`)
  if (!isThere && instead === undefined) return { path: undefined, values: {} }
  try {
    const text = isThere ? readFileSync(path, 'utf8') : (instead ?? '')
    return { path: isThere ? path : undefined, values: flatten(parse(text) ?? {}) }
  } catch (error) {
    throw new ConfigError(`${path}: ${(error as Error).message}`)
  }
}

/**
 * Flattens nested keys: `auth: {lockout_max_attempts: 5}` becomes `auth.lockout_max_attempts: 5`.
 */
function flatten(value: unknown, prefix = ''): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (prefix === '') throw new Error('expected a mapping')
    return { [prefix]: value }
  }
  const parts = Object.entries(value).map(([key, inner]) =>
    flatten(inner, prefix ? `${prefix}.${key}` : key),
  )
  return Object.assign({}, ...parts)
}
