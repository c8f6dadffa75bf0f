import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { failed } from '../failure.ts'
import type { Io } from '../io.ts'

/** Returns the text of a file that a flag names. `what` it is, such as `key file`. */
export async function readNamed(io: Pick<Io, 'cwd'>, file: string, what: string): Promise<string> {
  try {
    return await readFile(resolve(io.cwd, file), 'utf8')
  } catch (cause) {
    throw failed(`the ${what} ${JSON.stringify(file)} cannot be read`, { cause })
  }
}
