import { ownEntry } from '../../compose/lookup.ts'
import { Failure, publicMessage } from '../errors.ts'
import { ignoreFailure } from '../ignore-error.ts'
import {
  type ImageRegistry,
  RegistryAccountRefused,
  RegistryLimited,
} from '../ports/image-registry.ts'
import type { Needs } from '../ports/ports.ts'
import { type ComparedImage, comparedKey, type ImageLook } from '../records/image-look.ts'
import type { ImageManifest, TagAnswer } from '../records/image-manifest.ts'
import type { Registry } from '../records/registry.ts'
import { chance } from '../time/chance.ts'
import { isAhead } from '../time/clock-skew.ts'
import { parseUrl } from '../url.ts'
import { compareImage } from './compare-image.ts'
import { compared } from './judge-update.ts'
import { afterSuccess, isNearlyUsedUp, nextTry, untilOpen } from './look-times.ts'
import { isVersion, proposeTags } from './propose-tags.ts'
import { type UsedImage, whyUnchecked } from './service-images.ts'
import type { UsedTag } from './used-tags.ts'

export type TagPorts = Needs<'imageRegistry' | 'engines' | 'clock' | 'random'>

/** What a look at a tag needs. `period` is the time between two looks, in milliseconds. */
export interface LookContext {
  account: Pick<Registry, 'username' | 'password'> | undefined
  period: number
  /** A time in the future was recorded by a clock that was wrong. */
  isClockTrusted: boolean
  signal: AbortSignal
}

/** When a registry was asked, and the chance (0 to 1) that spreads the next looks. */
interface Moment extends Pick<LookContext, 'period' | 'isClockTrusted'> {
  now: number
  chance: number
}

const momentOf = (
  ports: TagPorts,
  { period, isClockTrusted }: Pick<LookContext, 'period' | 'isClockTrusted'>,
): Moment => ({
  now: ports.clock.now(),
  period,
  isClockTrusted,
  chance: chance(ports),
})

/** Asks the registry what a tag has. Never rejects because of the registry. */
export async function askRegistry(
  used: UsedTag,
  { closes: _, ...before }: ImageLook,
  context: LookContext,
  ports: TagPorts,
): Promise<ImageLook> {
  const { account, signal } = context
  const { tag } = used
  try {
    const answer = await ports.imageRegistry.digestOf(tag, account, signal)
    const look = afterAnswer(before, answer, momentOf(ports, context))
    if (look.closes || look.problem || !isVersion(tag.tag)) return look
    return await withProposals(used, look, context, ports)
  } catch (error) {
    signal.throwIfAborted()
    return afterFailure(before, error, momentOf(ports, context))
  }
}

/** Adds tags of newer versions. Registries may refuse to list tags: then there are none. */
async function withProposals(
  { tag }: UsedTag,
  { newerTags: _, ...look }: ImageLook,
  { account, signal }: LookContext,
  { imageRegistry, clock }: TagPorts,
): Promise<ImageLook> {
  try {
    const tags = await imageRegistry.tags(tag, account, signal)
    return tags ? { ...look, newerTags: proposeTags(tag.tag, tags) } : look
  } catch (error) {
    signal.throwIfAborted()
    ignoreFailure('list tags')(error)
    if (!(error instanceof RegistryLimited)) return look
    const until = untilOpen(clock.now(), error.seconds)
    return { ...look, closes: { until, problem: { kind: 'limited', left: null } } }
  }
}

function afterAnswer(before: ImageLook, answer: TagAnswer, moment: Moment): ImageLook {
  const { now, period, chance } = moment
  const asked = { ...before, askedAt: now, checkedAt: now }
  const nextAt = afterSuccess(now, period, chance)
  if (answer.state === 'missing') return { ...asked, nextAt, problem: { kind: 'missing' } }
  const { digest, quota } = answer
  const seenAt = firstSeen(before, digest, moment)
  const known = digest === before.digest ? before.compared : {}
  const look = { ...asked, digest, seenAt, nextAt, problem: null, compared: known }
  if (!quota || !isNearlyUsedUp(quota)) return look
  const until = untilOpen(now, undefined)
  return { ...look, closes: { until, problem: { kind: 'limited', left: quota } } }
}

/** Returns when a digest was first seen. A trusted clock corrects a time that is ahead of it. */
function firstSeen(
  { digest: known, seenAt, checkedAt }: ImageLook,
  digest: string,
  { now, isClockTrusted }: Moment,
): number {
  // A clock that was behind must not make a digest older than the look before.
  const recorded = digest === known && seenAt !== null ? seenAt : Math.max(now, checkedAt ?? 0)
  return isClockTrusted && isAhead(recorded, now) ? now : recorded
}

/**
 * Returns the record after a failure. A registry that cannot be reached is closed for a while, and
 * so is one that refuses the stored credentials: too many attempts can lock an account.
 */
export function afterFailure(before: ImageLook, error: unknown, moment: Moment): ImageLook {
  const { now, period, chance } = moment
  const asked = { ...before, askedAt: now }
  if (error instanceof RegistryLimited) {
    const problem = { kind: 'limited', left: null } as const
    const until = untilOpen(now, error.seconds)
    return { ...asked, problem, nextAt: until, closes: { until, problem } }
  }
  const text = publicMessage(error, 'the registry could not be asked')
  const problem = { kind: 'failed', text } as const
  const nextAt = nextTry(now, period, chance)
  const isAway = error instanceof Failure && error.reason === 'registry-unreachable'
  const closes = isAway || error instanceof RegistryAccountRefused
  return { ...asked, problem, nextAt, ...(closes && { closes: { until: nextAt, problem } }) }
}

/**
 * Compares the images of a tag that its digest alone does not tell, each once for a digest. Forgets
 * the comparisons with other digests, and those of images that no service uses.
 */
export async function compareUsed(
  used: UsedTag,
  look: ImageLook,
  context: LookContext,
  ports: TagPorts,
): Promise<ImageLook> {
  const { digest } = look
  const { account, signal } = context
  const images = imagesOf(used)
  const isKept = (key: string) => images.has(key) || used.services.some((one) => one.used === null)
  const kept = Object.entries(look.compared).filter(([key]) => isKept(key))
  const results = new Map<string, ComparedImage>(kept)
  const registry = onceEach(ports.imageRegistry)
  let failed: ImageLook | undefined
  for (const [key, { hostId, image }] of images) {
    if (digest === null || failed || compared({ hostId }, image, look, used.tag)) continue
    const found = await inspect(hostId, image, ports)
    if (!found?.platform) continue
    const running = { id: found.id, digests: found.digests, platform: found.platform }
    try {
      const result = await compareImage(running, digest, used.tag, { registry, account, signal })
      results.set(key, { result, source: sourceOf(found.labels) })
    } catch (error) {
      signal.throwIfAborted()
      failed = afterFailure(look, error, momentOf(ports, context))
    }
  }
  return { ...(failed ?? look), compared: Object.fromEntries(results) }
}

/** Returns the images of services that are looked for, by host and ID. */
function imagesOf({ services }: UsedTag): Map<string, { hostId: string; image: UsedImage }> {
  const looked = services.filter((service) => whyUnchecked(service) === undefined)
  return new Map(
    looked.flatMap(({ hostId, used }) =>
      (used ?? []).map((image) => [comparedKey(hostId, image.id), { hostId, image }] as const),
    ),
  )
}

/** Returns the details of an image; undefined if its host does not say. */
async function inspect(hostId: string, { id }: UsedImage, { engines }: TagPorts) {
  const names = { networks: [], volumes: [], images: [id] }
  const resolved = await engines
    .on(hostId)
    .then((engine) => engine.resolve(names))
    .catch(ignoreFailure('inspect an image'))
  return ownEntry(resolved?.images, id)
}

/** Returns a reader that asks for each manifest once. */
function onceEach(registry: ImageRegistry): Pick<ImageRegistry, 'manifest'> {
  const read = new Map<string, Promise<ImageManifest | undefined>>()
  return {
    manifest(tag, digest, account, signal) {
      const known = read.get(digest) ?? registry.manifest(tag, digest, account, signal)
      read.set(digest, known)
      return known
    },
  }
}

/** Labels that name the page of an image's source (OCI image specification, annotations). */
const sourceLabels = ['org.opencontainers.image.source', 'org.opencontainers.image.url']

/** Returns the page of an image's source. Whoever built the image wrote its labels. */
function sourceOf(labels: Readonly<Record<string, string>> | undefined): string | null {
  for (const label of sourceLabels) {
    const text = ownEntry(labels, label) ?? ''
    const url = text.length > 500 ? undefined : parseUrl(text)
    if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url.href
  }
  return null
}
