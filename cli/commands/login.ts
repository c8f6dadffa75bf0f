import { accept } from '../answer.ts'
import { type Call, command } from '../command.ts'
import { configPath, readConfig, writeConfig } from '../config.ts'
import { ApiFailure, wrongUsage } from '../failure.ts'
import { send, type Target } from '../http.ts'
import { locked } from '../lock.ts'
import { openSecrets, type Secrets } from '../prompt.ts'
import type { Me } from '../records.ts'
import { isExposed, serverUrl } from '../server-url.ts'
import { clean } from '../text.ts'

const ownFlags = {
  '--user <username>':
    'Log in with a user name; the password is asked for, and the code of a second factor',
} as const

export default command({
  args: '[server_url]',
  flags: ownFlags,
  details: `
With --user the password is asked for without showing it; where standard input is no terminal it is the first line of
it, and a six-digit code, when the account needs one, the second. Without --user the API token is taken from --token,
or else from standard input. What is saved was accepted by the server; nothing is saved otherwise.`,
  examples: [
    'cli login https://stacks.example.com --user ada',
    'cli login https://stacks.example.com < token.txt',
  ],
  run: login,
})

async function login({
  args,
  flags,
  io,
  print,
}: Call<'[server_url]', typeof ownFlags>): Promise<void> {
  if (flags.user !== undefined && flags.token !== undefined) {
    throw wrongUsage('--user and --token are two ways to log in: take one')
  }
  const file = configPath(io)
  const given = args.server_url ?? flags.server ?? io.env.CLI_SERVER
  const server = given || (await readConfig(file)).server
  if (!server) throw wrongUsage('which server?', 'run: cli login <url>')
  const target = { server: serverUrl(server), insecure: flags.insecure }
  if (isExposed(target.server)) {
    print.note('warning: over http:// the credential can be read on its way to the server')
  }
  const secrets = openSecrets(io)
  const credential =
    flags.user === undefined
      ? { token: flags.token ?? (await secrets.next('API token')).trim() }
      : await withPassword(target, flags.user, secrets)
  const answer = await send(target, { method: 'GET', path: '/me', token: credential.token })
  const value = accept(answer, target) as Me
  await locked(file, async () => {
    const { refresh_token: _, ...kept } = await readConfig(file)
    await writeConfig(file, { ...kept, ...target, ...credential })
  })
  print.reply({ value, answer }, (me) =>
    print.line(`Logged in to ${target.server} as ${clean(me.username)} (${clean(me.role)})`),
  )
}

interface LoginAnswer {
  access_token: string
  refresh_token: string
}

async function withPassword(target: Target, username: string, secrets: Secrets) {
  const password = await secrets.next('Password')
  const body = { username, password, remember_me: true }
  const answer = await attempt(target, body, () => secrets.next('Six-digit code'))
  return { token: answer.access_token, refresh_token: answer.refresh_token }
}

async function attempt(target: Target, body: object, code: () => Promise<string>) {
  const first = await send(target, { method: 'POST', path: '/auth/login', body })
  const asksCode = first.status === 401 && /^TOTP\b/i.test(first.headers['www-authenticate'] ?? '')
  if (!asksCode) return accepted(first, target)
  const again = { ...body, totp_code: (await code()).replace(/\s/g, '') }
  return accepted(await send(target, { method: 'POST', path: '/auth/login', body: again }), target)
}

function accepted(answer: Parameters<typeof accept>[0], target: Target): LoginAnswer {
  try {
    return accept(answer, target) as LoginAnswer
  } catch (error) {
    // The way to log in needs no hint to one who is on it.
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error
    throw new ApiFailure(error.status, error.message, error.exitCode)
  }
}
