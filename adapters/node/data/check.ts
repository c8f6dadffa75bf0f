import { accessSync, constants, lstatSync, readFileSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { must } from '../../../functions/compose/must.ts'
import { StartError } from '../process/start-error.ts'
import { type DataFile, dataFiles } from './forms.ts'
import { isUnreachable, pathsIn } from './paths-in.ts'

/** The service refuses to start with this data directory. The message has one line per problem. */
export class DataError extends StartError {
  override name = 'DataError'
}

/** Bytes. The service writes no larger files there. */
const sizeMax = 1024 * 1024

const directories = ['secret-keys', 'audit-keys', 'dynamodb', 'sqlite', 'backups']

/**
 * Returns the problems of a data directory, one line each: files that are empty, truncated,
 * malformed, unreadable, owned by another user, or replaced by a directory or a dangling link.
 * Returns none if the directory does not exist yet. Changes nothing. `isLocalStore`: the store's
 * files are in the directory too.
 */
export function checkData(dataDirectory: string, isLocalStore: boolean): string[] {
  const top = entryOf(dataDirectory)
  if (top === 'missing') return []
  if (typeof top === 'string' || !top.isDirectory()) {
    return [`${dataDirectory}: it is not a directory. Set SERVICE_DATA_DIR to a directory`]
  }
  const paths = ['', ...directories].flatMap((directory) => pathsIn(dataDirectory, directory))
  return [
    ...(isWritable(dataDirectory)
      ? []
      : [`${dataDirectory}: it is not writable. Give it to the service's user (chown)`]),
    ...directories.flatMap((path) => problemOfDirectory(join(dataDirectory, path))),
    ...paths.flatMap((path) => problemOf(dataDirectory, path, top.uid)),
    ...(isLocalStore ? lostAccessKey(dataDirectory) : []),
  ]
}

function problemOf(dataDirectory: string, path: string, owner: number): string[] {
  const file = dataFiles.find((one) => one.path.test(path))
  if (!file || isTemporary(path)) return []
  const full = join(dataDirectory, path)
  const wrong = wrongWith(full, file, owner)
  return wrong ? [`${full}: ${wrong}. ${file.remedy}`] : []
}

function wrongWith(
  full: string,
  { check, mayBeEmpty }: DataFile,
  owner: number,
): string | undefined {
  const found = entryOf(full)
  if (found === 'missing') return undefined
  if (found === 'dangling') return 'it is a dangling link'
  if (!found.isFile()) return 'it is not a regular file'
  const mayOwn = [process.geteuid?.() ?? 0, 0, owner]
  if (!mayOwn.includes(found.uid)) return `it belongs to another user (${found.uid})`
  if (found.size === 0 && !mayBeEmpty) return 'it is empty'
  if (found.size > sizeMax) return 'it is larger than 1 MiB'
  try {
    check(readFileSync(full, 'utf8'), full.slice(dirname(full).length + 1))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM') return `it cannot be read (${code})`
    return error instanceof SyntaxError ? 'it is cut short or damaged' : message
  }
  return undefined
}

function problemOfDirectory(full: string): string[] {
  const found = entryOf(full)
  if (found === 'missing' || (typeof found !== 'string' && found.isDirectory())) return []
  return [`${full}: it is not a directory. Move it away, and put the directory from a backup there`]
}

/**
 * Returns a line if the store's access key is missing. The key is part of the database's name, so
 * with a new key the store would look empty.
 */
function lostAccessKey(dataDirectory: string): string[] {
  const names = pathsIn(dataDirectory, 'dynamodb')
  if (names.includes('dynamodb/access-key') || !names.some((name) => name.endsWith('.db')))
    return []
  const accessKey = dataFiles.find(({ path }) => path.test('dynamodb/access-key'))
  const { remedy } = must(accessKey, 'rule for the access key')
  return [
    `${join(dataDirectory, 'dynamodb/access-key')}: it is missing, but a database exists. ${remedy}`,
  ]
}

function entryOf(path: string): Stats | 'missing' | 'dangling' {
  try {
    lstatSync(path)
  } catch (error) {
    if (!isUnreachable(error)) throw error
    return 'missing'
  }
  try {
    return statSync(path)
  } catch (error) {
    if (!isUnreachable(error)) throw error
    return 'dangling'
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Returns whether it is a temporary file of `private-file.ts`: the name of a file with twelve
 * random digits appended.
 */
export const isTemporary = (path: string) => {
  const [, name = ''] = /^(.+)\.[0-9a-f]{12}$/.exec(path) ?? []
  return dataFiles.some((file) => file.path.test(name))
}
