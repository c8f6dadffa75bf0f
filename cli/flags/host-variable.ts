import { CliFailure, withHint } from '../failure.ts'
import type { Io } from '../io.ts'
import { type Declared, speakOfFlags } from './speak-of-flags.ts'

/** The environment variable that stands for a `--host` that is not given. */
const variable = 'CLI_HOST'

/** Returns the host from the environment, if `--host` is not given and the command accepts it. */
export const hostFromEnvironment = (
  flags: { host?: string | undefined },
  command: { explicitHost?: true },
  { env }: Pick<Io, 'env'>,
): string | undefined =>
  flags.host === undefined && !command.explicitHost ? env.CLI_HOST || undefined : undefined

/** Returns a failure that names the variable where it would name `--host`, which was not given. */
export function speakOfHostVariable(error: unknown, host: string, declared: Declared): unknown {
  const spoken = speakOfFlags(error, declared)
  if (!(spoken instanceof CliFailure)) return spoken
  const { message } = spoken
  const named = message.replace(/--host\b/g, variable)
  const failure = spoken.reworded({ message: named })
  const isAboutHost = named === message && message.includes(host)
  return isAboutHost ? withHint(failure, `${variable} is ${host}; --host comes first`) : failure
}
