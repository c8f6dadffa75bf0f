import type { Io } from '../io.ts'
import { type ComposeFiles, type FileChoice, readComposeFiles } from './compose-files.ts'
import { filesRead } from './load-project.ts'
import { namesHere } from './prepare.ts'
import { textsOf } from './request-files.ts'

/**
 * Returns the compose files of a directory and the files that they read, in the API's form. Passes
 * the names of the compose files to `said`.
 */
export async function textsToCheck(choice: FileChoice, io: Io, said: (names: string) => void) {
  const files = await readComposeFiles(choice, io)
  said(namesHere(files).join(', '))
  return { ...textsOf(files), ...readBy(files) }
}

function readBy(files: ComposeFiles) {
  const read = files.isAlone ? [] : Object.entries(filesRead(files))
  if (read.length === 0) return {}
  return { files: Object.fromEntries(read.map(([path, content]) => [path, { content }])) }
}
