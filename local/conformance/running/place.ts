import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { readProject } from '../project-files.ts'

/**
 * A copy of a project's directory in which it is brought up, so that its services cannot damage the
 * original.
 */
export interface Place {
  directory: string
  /** Restores the state of the copy. */
  renew(): void
  remove(): void
}

const copied = (path: string) => !['.git', 'node_modules'].includes(basename(path))

/**
 * Copies a project under the same name, with its sibling directories if its files refer to them.
 */
export const copyProject = (directory: string): Place =>
  copyTo(basename(directory), directory, reachesOut(directory) ? dirname(directory) : directory)

/** Copies the directory of a project alone, under the name that its stack has. */
export const copyFolder = (directory: string, name: string): Place =>
  copyTo(name, directory, directory)

function copyTo(name: string, directory: string, source: string): Place {
  const top = mkdtempSync(join(tmpdir(), 'container-stacks-running-'))
  const target = join(top, source === directory ? name : basename(source))
  const place = {
    directory: join(target, relative(source, directory)),
    renew() {
      rmSync(target, { recursive: true, force: true })
      mkdirSync(target)
      cpSync(source, target, { recursive: true, verbatimSymlinks: true, filter: copied })
    },
    remove: () => rmSync(top, { recursive: true, force: true }),
  }
  place.renew()
  return place
}

/** Reports whether the files of a project refer to others beside its directory. */
export function reachesOut(directory: string): boolean {
  const { files, composeFiles } = readProject(directory).input
  return composeFiles.some((file) => (files[file] ?? readFileSync(file, 'utf8')).includes('../'))
}
