import { wrongUsage } from '../failure.ts'
import type { Io } from '../io.ts'
import { type FileChoice, readComposeFiles } from './compose-files.ts'
import { nameInFolder } from './load-project.ts'

/** The files of the current directory, as without flags. */
const here: FileChoice = {
  file: undefined,
  directory: undefined,
  envFile: undefined,
  withoutEnv: false,
  overlay: [],
}

/**
 * Returns the name that docker compose gives to the project of a directory: the `name` in its
 * compose file, else that of the directory. Throws a `CliFailure` if there is no compose file, or
 * if it does not load.
 */
export async function folderName(io: Io, choice: FileChoice = here): Promise<string> {
  if (choice.file === '-') throw wrongUsage('--file - needs the name of the stack')
  return nameInFolder(await readComposeFiles(choice, io))
}
