import type { components } from './api.types.ts'
import { post } from './browser-endpoints.ts'
import { asProblem } from './problem.ts'
import { session } from './session.ts'

/**
 * Creates the first administrator and signs in as that user. A service that is set up already may
 * be so by an earlier try, whose response was lost: if it knows another user, the login is shown.
 */
export async function setUp(body: components['schemas']['SetupBody']): Promise<void> {
  const isDone = await create(body)
  try {
    await session.logIn({ username: body.username, password: body.password })
  } catch (error) {
    if (isDone && asProblem(error).status === 401) await session.start()
    throw error
  }
}

/** Returns whether there was an administrator already. */
async function create(body: components['schemas']['SetupBody']): Promise<boolean> {
  try {
    await post('/setup', body)
    return false
  } catch (error) {
    if (asProblem(error).status !== 404) throw error
    return true
  }
}
