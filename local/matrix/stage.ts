import { watchChanges } from '../harness/watch-changes.ts'
import { callerId, callerOf, matrixWorld } from './matrix-world.ts'
import type { Request } from './request.ts'
import type { Row } from './rows.ts'

/**
 * The world of a row and a permitted request for it. `ports` are those of the world, and every
 * change through them is noted in `changes`.
 */
export type Stage = Awaited<ReturnType<typeof stageOf>>

/** Returns a new world for a row. The caller has an account. */
export async function stageOf({ needs, request = {} }: Row) {
  const named = needs === 'public' || needs === 'signed-in' ? undefined : needs
  const world = await matrixWorld(named)
  await callerOf(world, { role: 'admin' }, 'session')
  const made: Request = typeof request === 'function' ? await request(world, callerId) : request
  return { world, request: made, ...watchChanges(world.ports) }
}
