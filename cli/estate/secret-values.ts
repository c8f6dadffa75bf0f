import { parseEnv } from 'node:util'
import { readNamed } from '../flags/named-file.ts'
import type { Io } from '../io.ts'

/** A secret that the client found. */
export interface SecretValue {
  value: string
  /** Where it was found: a file, or `the environment`. */
  origin: string
}

/**
 * Returns the secrets by name: the lines `NAME=value` of a file, and the environment for names that
 * the file does not have. The environment is read only if that was asked for, as the author of an
 * estate chooses the names. The variables of the client itself are never taken from it.
 */
export async function secretValues(
  { secrets: file, secretsFromEnv }: { secrets: string | undefined; secretsFromEnv: boolean },
  io: Pick<Io, 'cwd' | 'env'>,
): Promise<ReadonlyMap<string, SecretValue>> {
  const text = file === undefined ? '' : await readNamed(io, file, 'file of secrets')
  const inherited = secretsFromEnv ? Object.entries(io.env) : []
  return new Map([
    ...found(
      inherited.filter(([name]) => !isOwn(name)),
      'the environment',
    ),
    ...found(Object.entries(parseEnv(text)), file ?? ''),
  ])
}

const isOwn = (name: string) => name.toUpperCase().startsWith('CLI_')

const found = (entries: [string, string | undefined][], origin: string) =>
  entries.flatMap(([name, value]): [string, SecretValue][] =>
    value === undefined ? [] : [[name, { value, origin }]],
  )
