import type { SourceFile } from '../../functions/core/ports/source-reader.ts'
import create from '../../functions/sources/create.ts'
import lookBySchedule from '../../functions/sources/look-by-schedule.ts'
import bySchedule from '../../functions/stacks/source/sync-by-schedule.ts'
import update from '../../functions/stacks/source/update.ts'
import { call } from './call.ts'
import type { TestCaller } from './sign-in.ts'
import { givenStack, shop, world } from './world.ts'

/** The account that makes the source and binds the stack. */
export const olga = { username: 'olga', role: 'operator' }
/** The path of the stack. */
export const path = { name: 'shop' }
const url = 'oci://registry.example.org/team/shop'

/** Returns a file of a source. */
export const sourceFile = (name: string, text: string): SourceFile => ({
  path: name,
  mode: 0o644,
  content: Buffer.from(text),
})

/** The compose file of the stack with another command. */
export const changedShop = shop.replace('services:', 'x-changed: 1\nservices:')

/**
 * A deployed stack `shop` and a source `shop`, whose revision `r1` has the same files.
 *
 * @param binding the body that binds them; undefined: they are not bound
 */
export async function givenFollowed(binding?: object) {
  const here = world()
  const { ports } = here
  await givenStack(here)
  const { refs, revisions, requests } = ports.sourceReader
  /** Puts files into the source. */
  const publish = (revision: string, files: Record<string, string>, id = revision, ref = '1') => {
    const all = Object.entries(files).map(([name, text]) => sourceFile(name, text))
    revisions.set(revision, { '': { id, files: all }, apps: { id: 'apps', files: all } })
    refs.set(`${url} at ${ref}`, revision)
  }
  publish('r1', { 'compose.yaml': shop })
  const body = { name: 'shop', kind: 'oci', url, ref: '1' }
  const made = await call(create, { ports, as: olga, body })
  if (made.status !== 201) throw new Error(made.text)
  const bind = (more: object = {}, as: TestCaller = olga) =>
    call(update, { ports, as, path, body: { source: 'shop', on_change: 'deploy', ...more } })
  if (binding) {
    const bound = await bind(binding)
    if (bound.status !== 200) throw new Error(bound.text)
  }
  /** Lets the time of looks pass, and runs what is due. */
  const run = async (after = 400_000) => {
    ports.clock.advance(after)
    await lookBySchedule.with(ports)()
    await bySchedule.with(ports)()
    await ports.background.settled()
  }
  return { here, ports, publish, bind, run, requests }
}
