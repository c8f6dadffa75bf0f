import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

/** A file of the project: its text, and its path from the top with forward slashes. */
export interface Source {
  path: string
  text: string
}

const root = resolve(import.meta.dirname, '../..')
const notOurs = new Set(['node_modules', 'dist', 'data', 'coverage', '.git'])
const generated = ['web/data/api.types.ts', 'packages/client/api.types.ts']

/** Returns the names at the top of the project, without those that version control ignores. */
export function topLevel(): string[] {
  return readdirSync(root).filter((name) => !notOurs.has(name) && !name.endsWith('.log'))
}

/** Returns every file below a folder of the project whose name ends in one of `endings`. */
export function sourcesUnder(
  folder: string,
  endings = ['.ts', '.tsx', '.mts', '.mjs', '.js'],
): Source[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/node_modules/') && !generated.includes(relative(root, path)))
    .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }))
}

/** Returns the Markdown pages below a folder of the project, for `.` only those directly in it. */
export function pagesOf(folder: string): Source[] {
  if (folder !== '.') return sourcesUnder(folder, ['.md'])
  const names = topLevel().filter((name) => name.endsWith('.md'))
  return names.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** Returns whether only tests load the file. */
export const isTest = (path: string) => /\.test\.tsx?$|(?:^|\/)testing\//.test(path)
