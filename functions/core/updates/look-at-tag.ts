import { ownEntry } from '../../compose/lookup.ts'
import { publicMessage } from '../errors.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Needs } from '../ports/ports.ts'
import type { ComparedImage, ImageLook, LookProblem, NewerTag } from '../records/image-look.ts'
import type { TagAnswer } from '../records/image-manifest.ts'
import type { Registry } from '../records/registry.ts'
import { parseUrl } from '../url.ts'
import { compareImage } from './compare-image.ts'
import { compared } from './judge-update.ts'
import { afterSuccess, isNearlyUsedUp, nextTry, untilOpen } from './look-times.ts'
import { isVersion, proposeTags } from './propose-tags.ts'
import type { UsedTag } from './used-tags.ts'

export type TagPorts = Needs<'imageRegistry' | 'engines' | 'clock' | 'random'>

/** What a look at a tag needs. `period` is the time between two looks, in milliseconds. */
export interface LookContext {
  account: Pick<Registry, 'username' | 'password'> | undefined
  period: number
  signal: AbortSignal
}

/** A registry that takes no requests until a time, in milliseconds since the epoch. */
export interface ClosedRegistry {
  until: number
  problem: LookProblem
}

/** The new record of a tag, and whether its registry takes no further requests. */
export interface TagLook {
  look: ImageLook
  closed: ClosedRegistry | undefined
}

/** Asks the registry what a tag has. Never rejects because of the registry. */
export async function askRegistry(
  { tag }: UsedTag,
  before: ImageLook,
  { account, period, signal }: LookContext,
  ports: TagPorts,
): Promise<TagLook> {
  const { imageRegistry, clock, random } = ports
  const chance = (random.bytes(1)[0] ?? 0) / 255
  try {
    const answer = await imageRegistry.digestOf(tag, account, signal)
    const asked = afterAnswer(before, answer, { now: clock.now(), period, chance })
    if (asked.closed || asked.look.digest === null || !isVersion(tag.tag)) return asked
    // Registries may refuse the list. Then nothing is proposed.
    const tags = await imageRegistry.tags(tag, account, signal).catch(ignoreFailure('list tags'))
    return tags ? withProposals(asked, proposeTags(tag.tag, tags)) : asked
  } catch (error) {
    signal.throwIfAborted()
    const text = publicMessage(error, 'the registry could not be asked')
    const nextAt = nextTry(clock.now(), period, chance)
    return { look: { ...before, problem: { kind: 'failed', text }, nextAt }, closed: undefined }
  }
}

const withProposals = ({ look, closed }: TagLook, newerTags: NewerTag[]): TagLook => ({
  look: { ...look, newerTags },
  closed,
})

function afterAnswer(
  before: ImageLook,
  answer: TagAnswer,
  { now, period, chance }: { now: number; period: number; chance: number },
): TagLook {
  if (answer.state === 'limited') {
    const problem: LookProblem = { kind: 'limited', left: null }
    const until = untilOpen(now, answer.seconds)
    return { look: { ...before, problem, nextAt: until }, closed: { until, problem } }
  }
  const nextAt = afterSuccess(now, period, chance)
  if (answer.state === 'missing') {
    const gone = { digest: null, seenAt: null, checkedAt: now, compared: {} }
    return { look: { ...before, ...gone, nextAt, problem: { kind: 'missing' } }, closed: undefined }
  }
  const { digest, quota } = answer
  const isKnown = digest === before.digest && before.seenAt !== null
  const seenAt = isKnown ? Math.min(before.seenAt ?? now, now) : now
  const look = { ...before, digest, seenAt, checkedAt: now, nextAt, problem: null }
  if (!quota || !isNearlyUsedUp(quota)) return { look, closed: undefined }
  const problem: LookProblem = { kind: 'limited', left: quota }
  return { look, closed: { until: untilOpen(now, undefined), problem } }
}

/**
 * Compares the images of a tag that its digest alone does not tell, each once for a digest. Forgets
 * images that no service uses.
 */
export async function compareUsed(
  { tag, services }: UsedTag,
  look: ImageLook,
  { account, signal }: LookContext,
  { imageRegistry, engines }: TagPorts,
): Promise<ImageLook> {
  const { digest } = look
  const hosts = new Map(
    services.flatMap(({ used, hostId }) => (used ?? []).map(({ id }) => [id, hostId] as const)),
  )
  const isHostMissing = services.some(({ used }) => used === null)
  const kept = Object.entries(look.compared).filter(([id]) => hosts.has(id) || isHostMissing)
  const results = new Map<string, ComparedImage>(kept)
  const images = new Map(services.flatMap(({ used }) => (used ?? []).map((one) => [one.id, one])))
  for (const [id, image] of images) {
    if (digest === null || compared(image, look, tag) !== undefined) continue
    const engine = await engines.on(hosts.get(id) ?? '')
    const { images: resolved } = await engine.resolve({ networks: [], volumes: [], images: [id] })
    const found = ownEntry(resolved, id)
    if (!found?.platform) continue
    const running = { id: found.id, digests: found.digests, platform: found.platform }
    const reading = { registry: imageRegistry, account, signal }
    const result = await compareImage(running, digest, tag, reading)
    results.set(id, { digest, result, source: sourceOf(found.labels) })
  }
  return { ...look, compared: Object.fromEntries(results) }
}

/** Labels that name the page of an image's source (OCI image specification, annotations). */
const sourceLabels = ['org.opencontainers.image.source', 'org.opencontainers.image.url']

/** Returns the page of an image's source. Whoever built the image wrote its labels. */
function sourceOf(labels: Readonly<Record<string, string>> | undefined): string | null {
  for (const label of sourceLabels) {
    const text = labels?.[label] ?? ''
    const url = text.length > 500 ? undefined : parseUrl(text)
    if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url.href
  }
  return null
}
