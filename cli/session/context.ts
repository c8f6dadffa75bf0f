import { failed, wrongUsage } from '../failure.ts'
import type { Io } from '../io.ts'
import type { Config, SavedLogin } from './config.ts'

/** The context of the login at the top level of the configuration. It always exists. */
export const defaultContext = 'default'

/**
 * Returns the name of the context of a command: from its flag, the environment or the last
 * `cli context use`, in this order.
 */
export function contextName(
  config: Config,
  flags: { context?: string },
  { env }: Pick<Io, 'env'>,
): string {
  const name = flags.context ?? (env.CLI_CONTEXT || config.context || defaultContext)
  if (/^[a-z0-9][a-z0-9._-]{0,62}$/i.test(name)) return name
  throw wrongUsage(
    `${JSON.stringify(name)} is not the name of a context`,
    'use up to 63 letters, digits, dots, dashes and underscores, the first a letter or digit',
  )
}

/** Returns the login of a context, or undefined if there is no such context. */
export function findLogin(config: Config, name: string): SavedLogin | undefined {
  const { context: _, contexts = {}, ...top } = config
  if (name === defaultContext) return top
  return Object.hasOwn(contexts, name) ? contexts[name] : undefined
}

/** Returns the login of a context. Throws a `CliFailure` if there is no such context. */
export function loginOf(config: Config, name: string): SavedLogin {
  const found = findLogin(config, name)
  if (found) return found
  throw failed(`there is no context ${JSON.stringify(name)}`, {
    hint: `run: cli context list, or: cli login <url> --context ${name}`,
  })
}

/** Returns the configuration with another login for a context. */
export function withLogin(config: Config, name: string, login: SavedLogin): Config {
  const { context, contexts } = config
  if (name !== defaultContext) return { ...config, contexts: { ...contexts, [name]: login } }
  return { ...login, ...(context !== undefined && { context }), ...(contexts && { contexts }) }
}

/** Returns the names of all contexts, the default one first. */
export const contextNames = ({ contexts = {} }: Config): string[] => [
  defaultContext,
  ...Object.keys(contexts).sort(),
]
