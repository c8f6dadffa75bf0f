import type { components } from './api.types.ts'
import { post } from './browser-endpoints.ts'
import { session } from './session.ts'

/** Creates the first administrator and signs in as that user. */
export async function setUp(body: components['schemas']['SetupBody']): Promise<void> {
  await post('/setup', body)
  await session.logIn({ username: body.username, password: body.password })
}
