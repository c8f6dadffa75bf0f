import { accept } from './answer.ts'
import { configPath, readConfig, writeConfig } from './config.ts'
import { ApiFailure, wrongUsage } from './failure.ts'
import { type Answer, send, type Target } from './http.ts'
import type { Io } from './io.ts'
import { locked } from './lock.ts'
import type { Printer } from './print.ts'
import type { Secrets } from './prompt.ts'
import type { Me } from './records.ts'
import { isExposed, serverUrl } from './server-url.ts'
import { clean } from './text.ts'

/** The credential from a login. An API token has no refresh token. */
export interface Credential {
  token: string
  refresh_token?: string
}

interface ServerChoice {
  named: string | undefined
  flags: { server?: string; insecure: boolean }
  io: Io
  print: Printer
}

/**
 * Returns the service to log in to: from an argument, a flag, the environment or the last login, in
 * this order.
 */
export async function chooseTarget({ named, flags, io, print }: ServerChoice): Promise<Target> {
  const given = named ?? flags.server ?? io.env.CLI_SERVER
  const server = given || (await readConfig(configPath(io))).server
  if (!server)
    throw wrongUsage('which server?', 'for example: cli login https://stacks.example.com')
  const target = { server: serverUrl(server), insecure: flags.insecure }
  if (isExposed(target.server)) {
    print.note('warning: http:// sends the credential unencrypted')
  }
  return target
}

/** Tries the credential, saves it if the server accepts it, and prints who is logged in. */
export async function keep(target: Target, credential: Credential, io: Io, print: Printer) {
  const answer = await send(target, { method: 'GET', path: '/me', token: credential.token })
  const value = accept(answer, target) as Me
  const file = configPath(io)
  await locked(file, async () => {
    const { refresh_token: _, ...kept } = await readConfig(file)
    await writeConfig(file, { ...kept, ...target, ...credential })
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
  const path = '/auth/login'
  const body = { ...account, remember_me: true }
  const first = await send(target, { method: 'POST', path, body })
  if (!asksForCode(first)) return credentialOf(first, target)
  const second = { ...body, totp_code: await secrets.code('Six-digit code') }
  return credentialOf(await send(target, { method: 'POST', path, body: second }), target)
}

function asksForCode({ status, headers }: Answer): boolean {
  return status === 401 && /^TOTP\b/i.test(headers['www-authenticate'] ?? '')
}

/** Returns the credential from a login response. Throws a `CliFailure` if the login was refused. */
export function credentialOf(answer: Answer, target: Target): Credential {
  try {
    const pair = accept(answer, target) as { access_token: string; refresh_token: string }
    return { token: pair.access_token, refresh_token: pair.refresh_token }
  } catch (error) {
    // Without the hint to log in, which is what the user is doing.
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error
    throw new ApiFailure(error.status, error.message, error.exitCode)
  }
}
