import { accept } from '../api/read-response.ts'
import { request } from '../api/request.ts'
import { CliFailure } from '../failure.ts'
import type { Printer } from '../output/print.ts'
import { clean } from '../output/text.ts'
import type { SavedLogin } from './config.ts'

/** Ends the session of a saved login on its server. Prints a note if that failed. */
export async function endSession(login: SavedLogin, print: Printer): Promise<void> {
  const { server, token, refresh_token, insecure = false } = login
  if (!server || !refresh_token) return
  const target = { server, insecure }
  const options = { body: { refresh_token }, token, timeout: 10_000 }
  try {
    accept(await request(target, 'POST', '/auth/logout', options), target)
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    print.note(`the session could not be ended on the server: ${clean(error.message)}`)
  }
}
