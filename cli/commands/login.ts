import { type Call, command } from '../command.ts'
import { wrongUsage } from '../failure.ts'
import { openSecrets } from '../prompt.ts'
import { chooseTarget, keep, signIn } from '../sign-in.ts'

const ownFlags = {
  '--user <username>': 'Log in with a user name; its password is asked for',
} as const
const ownArgs = '[server_url]'

export default command({
  args: ownArgs,
  flags: ownFlags,
  details: `
With --user the password is asked for without showing it, and then a code where the account has a second factor; where
standard input is no terminal they are its first two lines. Without --user the API token is taken from --token, or else
from standard input. What is saved was accepted by the server; nothing is saved otherwise.`,
  examples: [
    'cli login https://stacks.example.com --user ada',
    'cli login https://stacks.example.com < token.txt',
  ],
  run: login,
})

async function login({ args, flags, io, print }: Call<typeof ownArgs, typeof ownFlags>) {
  const { user: username, token } = flags
  if (username !== undefined && token !== undefined) {
    throw wrongUsage('--user and --token are two ways to log in: take one')
  }
  const target = await chooseTarget({ named: args.server_url, flags, io, print })
  const secrets = openSecrets(io)
  if (username === undefined) {
    const given = token ?? (await secrets.next('API token')).trim()
    return keep(target, { token: given }, io, print)
  }
  const password = await secrets.next('Password')
  return keep(target, await signIn(target, { username, password }, secrets), io, print)
}
