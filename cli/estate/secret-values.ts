import { parseEnv } from 'node:util'
import { readNamed } from '../flags/named-file.ts'
import type { Io } from '../io.ts'

/**
 * Returns the secrets by name: the lines `NAME=value` of a file, and the environment for names that
 * the file does not have.
 */
export async function secretValues(
  file: string | undefined,
  io: Pick<Io, 'cwd' | 'env'>,
): Promise<ReadonlyMap<string, string>> {
  const text = file === undefined ? '' : await readNamed(io, file, 'file of secrets')
  const all = [...Object.entries(io.env), ...Object.entries(parseEnv(text))]
  return new Map(
    all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  )
}
