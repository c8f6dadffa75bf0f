import { accept } from '../api/read-response.ts'
import { request } from '../api/request.ts'
import { type Call, command } from '../command.ts'
import { userOf } from '../flags/user-flags.ts'
import { openSecrets } from '../prompt.ts'
import { chooseTarget, saveLogin, signIn } from '../session/sign-in.ts'

const ownFlags = {
  '--user <username>': 'The name of the account; defaults to admin',
  '--username <username>': 'The same as --user',
} as const
const ownArgs = '[server_url]'

export default command({
  args: ownArgs,
  flags: ownFlags,
  details: `
Works only once, with the secret that the service prints at its first start, and logs you in. The client asks for the
secret and a password; if standard input is not a terminal, they are its first two lines.`,
  examples: ['cli setup http://localhost:8080 --user ada'],
  run: setup,
})

async function setup({ args, flags, io, print }: Call<typeof ownArgs, typeof ownFlags>) {
  const target = await chooseTarget({ named: args.server_url, flags, io, print })
  const secrets = openSecrets(io)
  const secret = (await secrets.next('Setup secret')).trim()
  const password = await secrets.next('Password')
  const account = { username: userOf(flags) ?? 'admin', password }
  const body = { secret, ...account }
  accept(await request(target, 'POST', '/setup', { body }), target)
  await saveLogin(target, await signIn(target, account, secrets), { flags, io, print })
}
