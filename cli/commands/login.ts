import { type Call, command } from '../command.ts'
import { wrongUsage } from '../failure.ts'
import { openSecrets } from '../prompt.ts'
import { chooseTarget, keep, signIn } from '../sign-in.ts'

const ownFlags = {
  '--user <username>': 'Log in with a user name; you are asked for the password',
  '--sso': 'Sign in with an identity provider in a browser on this machine',
} as const
const ownArgs = '[server_url] [provider]'

export default command({
  args: ownArgs,
  flags: ownFlags,
  details: `
With --user the client asks for the password, and for a code if the account has a second factor; if standard input is
not a terminal, they are its first two lines. Without --user the API token is read from --token, or else from standard
input. With --sso a URL is printed, and opened in a browser if there is one; sign in there. [provider] selects one of
several providers. Credentials are saved only after the server has accepted them.`,
  examples: [
    'cli login https://stacks.example.com --user ada',
    'cli login https://stacks.example.com < token.txt',
    'cli login https://stacks.example.com --sso keycloak',
  ],
  run: login,
})

async function login(call: Call<typeof ownArgs, typeof ownFlags>) {
  const { flags, io, print } = call
  const { user: username, token } = flags
  const ways = [
    username !== undefined && '--user',
    token !== undefined && '--token',
    flags.sso && '--sso',
  ]
  const taken = ways.filter((way) => way !== false)
  if (taken.length > 1) {
    throw wrongUsage(`${taken.join(' and ')}: use only one way to log in`)
  }
  const { named, provider } = placesOf(call)
  const target = await chooseTarget({ named, flags, io, print })
  if (flags.sso) {
    const { signInWithProvider } = await import('../sso.ts')
    return keep(target, await signInWithProvider(target, provider, call), io, print)
  }
  const secrets = openSecrets(io)
  if (username === undefined) {
    const given = token ?? (await secrets.next('API token')).trim()
    return keep(target, { token: given }, io, print)
  }
  const password = await secrets.next('Password')
  return keep(target, await signIn(target, { username, password }, secrets), io, print)
}

/**
 * With `--sso`, a single argument that is not a URL names the provider. The server is then the
 * saved one.
 */
function placesOf({ args, flags }: Call<typeof ownArgs, typeof ownFlags>) {
  const { server_url: named, provider } = args
  if (!flags.sso) {
    if (provider !== undefined) throw wrongUsage('[provider] needs --sso')
    return { named, provider }
  }
  const isProvider = named !== undefined && provider === undefined && !named.includes('://')
  return isProvider ? { named: undefined, provider: named } : { named, provider }
}
