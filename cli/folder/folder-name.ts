import { CliFailure, wrongUsage } from '../failure.ts'
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
 * Returns the name that docker compose gives to the project of the current directory, or of the one
 * that the flags of a command choose: the `name` in its compose file, else that of the directory.
 * Throws a `CliFailure` if there is no compose file, or if it does not load.
 */
export async function nameOfFolder(io: Io, flags: object): Promise<string> {
  if (isChoice(flags)) return nameBy(flags, io)
  try {
    return await nameBy(here, io)
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    throw error.reworded({ hint: 'name the stack' })
  }
}

/** Returns whether a command has the flags that name compose files. */
const isChoice = (flags: object): flags is FileChoice => 'withoutEnv' in flags

async function nameBy(choice: FileChoice, io: Io): Promise<string> {
  if (choice.file === '-') throw wrongUsage('--file - needs the name of the stack')
  return nameInFolder(await readComposeFiles(choice, io))
}
