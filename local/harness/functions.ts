import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildFunctions } from '../function-zips/build.ts'

/** Writes the archives of the functions into a directory, as `<group>.zip`. */
export async function writeFunctions(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  for (const { group, content } of await buildFunctions()) {
    await writeFile(join(directory, `${group}.zip`), content)
  }
}
