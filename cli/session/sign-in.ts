import type { Answer, Target } from '../api/http.ts'
import { accept } from '../api/read-response.ts'
import { request } from '../api/request.ts'
import type { TokenPair } from '../api/types.ts'
import { ApiFailure, wrongUsage } from '../failure.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { clean } from '../output/text.ts'
import type { Secrets } from '../prompt.ts'
import { configPath, readConfig, writeConfig } from './config.ts'
import { contextName, findLogin, withLogin } from './context.ts'
import { findServer } from './find-server.ts'
import { isInsecure } from './insecure.ts'
import { withFileLock } from './lock.ts'
import { hasScheme, isExposed, serverUrl } from './server-url.ts'

/** The credential from a login. An API token has no refresh token. */
export interface Credential {
  token: string
  refresh_token?: string
}

interface ServerChoice {
  named: string | undefined
  flags: { server?: string; context?: string; insecure: boolean }
  io: Io
  print: Printer
}

/**
 * Returns the service to log in to: from an argument, a flag, the environment or the last login, in
 * this order.
 */
export async function chooseTarget({ named, flags, io, print }: ServerChoice): Promise<Target> {
  const given = named ?? flags.server ?? io.env.CLI_SERVER
  const server = given || (await savedServer(flags, io))
  if (!server)
    throw wrongUsage('which server?', 'for example: cli login https://stacks.example.com')
  const insecure = isInsecure(flags, io)
  const url = hasScheme(server) ? serverUrl(server) : await findServer(server, insecure, io)
  const target = { server: url, insecure }
  if (isExposed(target.server)) {
    print.note('warning: http:// sends the credential unencrypted')
  }
  return target
}

async function savedServer(flags: ServerChoice['flags'], io: Io): Promise<string | undefined> {
  const config = await readConfig(configPath(io))
  return findLogin(config, contextName(config, flags, io))?.server
}

/**
 * Tries the credential, saves it in the context if the server accepts it, and prints who is logged
 * in. A context that is named with `--context` is used from then on. `--insecure` is saved, and
 * CLI_INSECURE is not: without the variable, certificates are checked again.
 */
export async function saveLogin(
  target: Target,
  credential: Credential,
  { flags, io, print }: Omit<ServerChoice, 'named'>,
) {
  const answer = await request(target, 'GET', '/me', { token: credential.token })
  const value = accept(answer, target)
  const file = configPath(io)
  await withFileLock(file, async () => {
    const config = await readConfig(file)
    const name = contextName(config, flags, io)
    const { refresh_token: _, ...kept } = findLogin(config, name) ?? {}
    const { server } = target
    const { insecure } = flags
    const next = withLogin(config, name, { ...kept, server, insecure, ...credential })
    await writeConfig(file, flags.context === undefined ? next : { ...next, context: name })
  })
  print.reply({ value, answer }, (me) =>
    print.line(`Logged in to ${target.server} as ${clean(me.username)} (${clean(me.role)})`),
  )
}

/** Starts a session. Prompts for a second-factor code if the server requires one. */
export async function signIn(
  target: Target,
  account: { username: string; password: string },
  secrets: Secrets,
): Promise<Credential> {
  const body = { ...account, remember_me: true }
  const first = await request(target, 'POST', '/auth/login', { body })
  if (!asksForCode(first)) return credentialOf(first, target)
  const withCode = { ...body, totp_code: await secrets.code('Six-digit code') }
  return credentialOf(await request(target, 'POST', '/auth/login', { body: withCode }), target)
}

function asksForCode({ status, headers }: Answer): boolean {
  return status === 401 && /^TOTP\b/i.test(headers['www-authenticate'] ?? '')
}

/** Returns the credential from a login response. Throws a `CliFailure` if the login was refused. */
export function credentialOf(answer: Answer<TokenPair>, target: Target): Credential {
  try {
    const pair = accept(answer, target)
    return { token: pair.access_token, refresh_token: pair.refresh_token }
  } catch (error) {
    // Without the hint to log in, which is what the user is doing.
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error
    const { status, message, exitCode, reason, requestId } = error
    throw new ApiFailure(status, message, exitCode, { reason, requestId })
  }
}
