import { accept } from '../api/read-response.ts'
import { request } from '../api/request.ts'
import type { Call } from '../command.ts'
import { CliFailure } from '../failure.ts'
import { clean } from '../output/text.ts'
import type { SavedLogin } from './config.ts'
import { isInsecure } from './insecure.ts'

/** Ends the session of a saved login on its server. Prints a note if that failed. */
export async function endSession(
  login: SavedLogin,
  { flags, io, print }: Pick<Call, 'flags' | 'io' | 'print'>,
): Promise<void> {
  const { server, token, refresh_token } = login
  if (!server || !refresh_token) return
  const target = { server, insecure: login.insecure || isInsecure(flags, io) }
  const options = { body: { refresh_token }, token, timeout: 10_000 }
  try {
    accept(await request(target, 'POST', '/auth/logout', options), target)
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    print.note(`the session could not be ended on the server: ${clean(error.message)}`)
  }
}
