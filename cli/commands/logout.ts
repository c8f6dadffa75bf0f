import { accept } from '../answer.ts'
import { type Call, command } from '../command.ts'
import { type Config, configPath, readConfig, writeConfig } from '../config.ts'
import { CliFailure } from '../failure.ts'
import { send } from '../http.ts'
import { locked } from '../lock.ts'
import { clean } from '../text.ts'

export default command({
  details: `
Ends the session on the server, if it is reachable, and deletes the saved token. The address of the server is kept.
An API token is not revoked: see \`cli tokens revoke\`.`,
  run: logout,
})

async function logout({ io, print }: Call): Promise<void> {
  const file = configPath(io)
  const saved = await readConfig(file)
  if (!saved.token && !saved.refresh_token) {
    print.note('not logged in')
    return
  }
  await locked(file, async () => {
    const config = await readConfig(file)
    const trouble = await endSession(config)
    if (trouble) print.note(`the session could not be ended on the server: ${clean(trouble)}`)
    const { token: _, refresh_token: __, ...kept } = config
    await writeConfig(file, kept)
  })
  if (print.format === 'table') print.line('Logged out')
}

/** Ends the session on the server. Returns the reason if that failed. */
async function endSession(config: Config): Promise<string | undefined> {
  const { server, refresh_token, insecure = false } = config
  if (!server || !refresh_token) return undefined
  const target = { server, insecure }
  const request = { method: 'POST', path: '/auth/logout', body: { refresh_token } } as const
  try {
    accept(await send(target, { ...request, token: config.token, patience: 10_000 }), target)
    return undefined
  } catch (error) {
    if (error instanceof CliFailure) return error.message
    throw error
  }
}
