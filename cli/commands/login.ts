import { type Call, command } from '../command.ts'
import { wrongUsage } from '../failure.ts'
import { userOf } from '../flags/user-flags.ts'
import { openSecrets } from '../prompt.ts'
import { hasScheme } from '../session/server-url.ts'
import { chooseTarget, saveLogin, signIn } from '../session/sign-in.ts'

const ownFlags = {
  '--user <username>': 'Log in with a user name; you are asked for the password',
  '--username <username>': 'The same as --user',
  '--sso': 'Sign in with an identity provider in a browser on this machine',
} as const
const ownArgs = '[server_url] [provider]'

export default command({
  args: ownArgs,
  flags: ownFlags,
  details: `
With --user the client asks for the password, and for a code if the account has a second factor; if standard input is
not a terminal, they are its first two lines. Without --user the API token is read from standard input, which keeps it
out of the history of the shell, or from --token. With --sso a URL is printed, and opened in a browser if there is one;
sign in there. [provider] selects one of several providers. Credentials are saved only after the server has accepted
them. A server without a scheme, such as nas:8080, is reached by https, or by http on a private address after a
question. With --context the login is saved beside others, and used from then on: see \`cli context list\`.`,
  examples: [
    'cli login https://stacks.example.com --user ada',
    'cli login https://stacks.example.com < token.txt',
    'cli login https://stacks.example.com --sso keycloak',
    'cli login http://nas:8080 --user ada --context nas',
  ],
  run: login,
})

async function login(call: Call<typeof ownArgs, typeof ownFlags>) {
  const { flags, io, print } = call
  const { token } = flags
  const username = userOf(flags)
  const credentialFlags = [
    username !== undefined && '--user',
    token !== undefined && '--token',
    flags.sso && '--sso',
  ]
  const given = credentialFlags.filter((way) => way !== false)
  if (given.length > 1) {
    throw wrongUsage(`${given.join(' and ')}: use only one way to log in`)
  }
  const { named, provider } = placesOf(call)
  const target = await chooseTarget({ named, flags, io, print })
  if (flags.sso) {
    const { signInWithProvider } = await import('../session/single-sign-on.ts')
    return saveLogin(target, await signInWithProvider(target, provider, call), call)
  }
  const secrets = openSecrets(io)
  if (username === undefined) {
    const given = token ?? (await secrets.next('API token')).trim()
    return saveLogin(target, { token: given }, call)
  }
  const password = await secrets.next('Password')
  return saveLogin(target, await signIn(target, { username, password }, secrets), call)
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
  const isProvider = named !== undefined && provider === undefined && !hasScheme(named)
  return isProvider ? { named: undefined, provider: named } : { named, provider }
}
