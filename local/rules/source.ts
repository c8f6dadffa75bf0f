import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

/** A file of the project: its path from the top, with forward slashes, and its text. */
export interface Source {
  path: string
  text: string
}

const root = resolve(import.meta.dirname, '../..')
const notOurs = new Set(['node_modules', 'dist', 'data', 'coverage', '.git'])

/** The names of what lies at the top of the project, without what version control leaves out. */
export function topLevel(): string[] {
  return readdirSync(root).filter((name) => !notOurs.has(name) && !name.endsWith('.log'))
}

/** Every file under a folder of the project whose name ends in one of `endings`. */
export function sourcesUnder(folder: string, endings = ['.ts', '.mts', '.mjs', '.js']): Source[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }))
}

/** The pages of Markdown in a folder of the project; at its top, only those that lie there. */
export function pagesOf(folder: string): Source[] {
  if (folder !== '.') return sourcesUnder(folder, ['.md'])
  const names = topLevel().filter((name) => name.endsWith('.md'))
  return names.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** True for files that only tests load. */
export const isTest = (path: string) => /\.test\.ts$|(?:^|\/)fixture\.ts$/.test(path)
