import { type Call, command } from '../command.ts'
import { configPath, readConfig, writeConfig } from '../session/config.ts'
import { contextName, loginOf, withLogin } from '../session/context.ts'
import { endSession } from '../session/end-session.ts'
import { withFileLock } from '../session/lock.ts'

export default command({
  details: `
Ends the session on the server, if it is reachable, and deletes the saved token. The address of the server is kept.
An API token is not revoked: see \`cli tokens revoke\`.`,
  run: logout,
})

async function logout({ flags, io, print }: Call): Promise<void> {
  const file = configPath(io)
  const first = await readConfig(file)
  const name = contextName(first, flags, io)
  const { token, refresh_token } = loginOf(first, name)
  if (!token && !refresh_token) {
    print.note('not logged in')
    return
  }
  await withFileLock(file, async () => {
    const config = await readConfig(file)
    const { token, refresh_token, ...kept } = loginOf(config, name)
    await endSession({ ...kept, token, refresh_token }, { flags, io, print })
    await writeConfig(file, withLogin(config, name, kept))
  })
  if (print.format === 'table') print.line('Logged out')
}
