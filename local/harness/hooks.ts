import create from '../../functions/stacks/hook/create.ts'
import { call } from './call.ts'
import { givenStack, world } from './world.ts'

/** The account that makes the hook. */
export const olga = { username: 'olga', role: 'operator' }
/** The path of its stack. */
export const path = { name: 'shop' }

/** A deployed stack with a hook. `id` is the last part of its address. */
export async function givenHook() {
  const here = world()
  await givenStack(here)
  const { json, text } = await call(create, { ports: here.ports, as: olga, path })
  if (!json?.secret) throw new Error(text)
  const { secret, path: address } = json as { secret: string; path: string }
  return { here, secret, id: address.slice('/api/v1/hooks/'.length) }
}
