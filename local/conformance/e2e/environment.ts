import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDotenv } from '../../../functions/compose/load/dotenv.ts'
import { callRoute } from './call-route.ts'
import type { OurStack } from './stack.ts'

/** What docker compose takes variables from: a file, and the caller's own ones. */
export interface Environment {
  /** The text of `.env`, or of the file that `--env-file` names. */
  text: string
  /** The variables of the caller. */
  own: ReadonlyMap<string, string>
}

/**
 * Returns the environment of a command.
 *
 * @param variables `NAME=value`, those of the caller
 */
export function environmentOf(
  directory: string,
  envFile: string | undefined,
  variables: readonly string[],
): Environment {
  const own = new Map(variables.map((one) => [before(one), one.slice(before(one).length + 1)]))
  const named = envFile ?? own.get('COMPOSE_ENV_FILES')
  const file = named ?? join(directory, '.env')
  own.delete('COMPOSE_ENV_FILES')
  return { text: existsSync(file) ? readFileSync(file, 'utf8') : '', own }
}

const before = (one: string) => one.slice(0, one.indexOf('='))

/**
 * Returns an environment as the text of a `.env`. The caller's variables stand first and last:
 * those of the file may refer to them, and must not replace them.
 */
export function dotenvOf(environment: Environment): string {
  const own = [...environment.own].map(([name, value]) => `${name}=${quoted(value)}\n`).join('')
  return own === '' ? environment.text : `${own}${environment.text}\n${own}`
}

/**
 * Puts the environment into the `.env` of the stack, because the service has no environment of a
 * caller.
 */
export async function saveEnvironment(stack: OurStack, environment: Environment): Promise<void> {
  const text = dotenvOf(environment)
  if (text === stack.environment) return
  const { status, text: answer } = await callRoute(stack, 'PUT /stacks/{name}', {
    body: { env: text },
  })
  if (status !== 200) throw new Error(answer)
  stack.environment = text
}

const quoted = (value: string) => (value.includes("'") ? JSON.stringify(value) : `'${value}'`)

/** Returns the value of a variable, as `run -e NAME` takes it. */
export function variableOf({ text, own }: Environment, name: string): string | undefined {
  return own.get(name) ?? parseDotenv(text, '.env', (other) => own.get(other)).get(name)
}
