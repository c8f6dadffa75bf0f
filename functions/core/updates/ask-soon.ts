import { conflict } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { ImageLook } from '../records/image-look.ts'
import { wasEverDeployed } from '../records/stack.ts'
import { allowedRegistries } from '../registries/allowed.ts'
import { getStack } from '../stacks/stack-record.ts'
import { newLook } from './look-times.ts'
import { readPolicies } from './policy-of.ts'
import { serviceImages, whyNotAsked } from './service-images.ts'

/** A tag that was asked for more recently is not asked for again. Milliseconds. */
const pause = 60_000
/** Tries when others write the same record. */
const triesMax = 5

export type AskPorts = Needs<
  'stacks' | 'settings' | 'registries' | 'imageLooks' | 'clock' | 'hosts' | 'updatePolicies'
>

/**
 * Makes looks at the tags of stacks due. The schedule then looks, with what it knows of all stacks.
 * Returns how many.
 *
 * @param stackName only this stack; undefined: all in the caller's scope
 * @throws 404 if there is no such stack, 409 if the settings say never to look
 */
export async function askSoon(stackName: string | undefined, ports: AskPorts): Promise<number> {
  const { settings, stacks } = ports
  if ((await settings.get())['updates.check_hours'] === 0) {
    throw conflict('no registry is asked: the setting updates.check_hours is 0')
  }
  const asked = stackName === undefined ? await stacks.list() : [await getStack(stackName, ports)]
  const allowed = await allowedRegistries(ports)
  // The others have no containers.
  const deployed = asked.filter(wasEverDeployed)
  const services = serviceImages(deployed, undefined, await readPolicies(ports)).filter(
    (service) => whyNotAsked(service, allowed) === undefined,
  )
  await reopen(new Set(services.flatMap(({ tag }) => tag?.registry ?? [])), ports)
  let count = 0
  for (const name of new Set(services.map(({ name }) => name.name))) {
    if (await makeDue(name, ports)) count += 1
  }
  return count
}

/**
 * Lets registries be asked that could not be reached, or refused the credentials: someone may have
 * mended that. One that takes no requests stays closed.
 */
async function reopen(registries: ReadonlySet<string>, { imageLooks }: AskPorts): Promise<void> {
  for (const { closes, ...look } of await imageLooks.list()) {
    const [registry = ''] = look.id.split('/')
    // If another request wrote the record meanwhile, the registry was just asked.
    if (closes?.problem.kind === 'failed' && registries.has(registry)) {
      await imageLooks.replace(look)
    }
  }
}

/** Returns false if the registry was asked a moment ago, or takes no requests. */
async function makeDue(name: string, { imageLooks, clock }: AskPorts): Promise<boolean> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const now = clock.now()
    const look = await imageLooks.find(name)
    if (look && isTooSoon(look, now)) return false
    if (look && look.nextAt <= now) return true
    const isSaved = look
      ? await imageLooks.replace({ ...look, nextAt: now })
      : await imageLooks.create(newLook(name, now, now))
    if (isSaved) return true
  }
  return false
}

function isTooSoon({ askedAt, problem, nextAt }: ImageLook, now: number): boolean {
  if (problem?.kind === 'limited') return nextAt > now
  return askedAt !== null && Math.abs(now - askedAt) < pause
}
