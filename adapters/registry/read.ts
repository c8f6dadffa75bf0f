import type { Platform } from '../../functions/compose/snapshot.ts'
import type { ImageRegistry } from '../../functions/core/ports/image-registry.ts'
import type {
  ImageManifest,
  RegistryQuota,
  TagAnswer,
} from '../../functions/core/records/image-manifest.ts'
import type { Dialer } from '../net/outbound.ts'
import type { OutboundAnswer } from '../net/request.ts'
import { manifestTypes } from './manifest-types.ts'
import { parseObject, refusal, refused } from './problems.ts'
import { RegistrySession } from './session.ts'

/** Milliseconds for one request. */
const usual = 30_000

const digestPattern = /^sha256:[0-9a-f]{64}$/

/** Returns the reader of images that speaks the HTTP API of registries, version 2. */
export function imageRegistry(dialer: Dialer, timeout = usual): ImageRegistry {
  return {
    async digestOf(tag, account, signal) {
      const session = new RegistrySession(tag, account, dialer, { timeout, signal }, 'pull')
      const headers = { Accept: manifestTypes }
      return tagAnswer(await session.send({ method: 'HEAD', to: `manifests/${tag.tag}`, headers }))
    },
    async manifest(tag, digest, account, signal) {
      const session = new RegistrySession(tag, account, dialer, { timeout, signal }, 'pull')
      const headers = { Accept: manifestTypes }
      const answer = await session.send({ method: 'GET', to: `manifests/${digest}`, headers })
      if (answer.status === 404) return undefined
      if (answer.status !== 200) throw refusal('reading a manifest', answer)
      return parseManifest(answer)
    },
  }
}

function tagAnswer(answer: OutboundAnswer): TagAnswer {
  const { status, headers } = answer
  if (status === 404) return { state: 'missing' }
  if (status === 429) return { state: 'limited', seconds: secondsOf(headers['retry-after']) }
  if (status !== 200) throw refusal('reading the tag', answer)
  const digest = String(headers['docker-content-digest'] ?? '')
  if (!digestPattern.test(digest)) throw refused('it does not say which digest the tag has')
  return { state: 'found', digest, quota: quotaOf(headers) }
}

/** Reads seconds, or a date, of `Retry-After`. */
function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = Number(text)
  return Number.isInteger(seconds) && seconds >= 0 ? seconds : undefined
}

/** Docker Hub writes `100;w=21600`: that many in a window of so many seconds. */
function quotaOf(headers: OutboundAnswer['headers']): RegistryQuota | undefined {
  const limit = Number.parseInt(String(headers['ratelimit-limit'] ?? ''), 10)
  const remaining = Number.parseInt(String(headers['ratelimit-remaining'] ?? ''), 10)
  return limit > 0 && remaining >= 0 ? { limit, remaining } : undefined
}

/** @throws 422 if the body is no manifest */
function parseManifest({ body, cut }: OutboundAnswer): ImageManifest {
  const object = cut ? undefined : parseObject(body)
  if (Array.isArray(object?.manifests)) {
    return { kind: 'index', images: object.manifests.flatMap(imageOf) }
  }
  const config = (object?.config as { digest?: unknown } | undefined)?.digest
  if (typeof config === 'string' && digestPattern.test(config)) return { kind: 'image', config }
  throw refused('it sends a manifest that is none of an image')
}

/** An entry of an index. Those that are no images, such as attestations, have no platform. */
interface IndexEntry {
  digest?: unknown
  platform?: Partial<Record<keyof Platform, unknown>>
}

function imageOf(entry: IndexEntry | null) {
  const { os, architecture, variant } = entry?.platform ?? {}
  const digest = entry?.digest
  if (typeof os !== 'string' || typeof architecture !== 'string' || os === 'unknown') return []
  if (typeof digest !== 'string' || !digestPattern.test(digest)) return []
  const platform = { os, architecture, ...(typeof variant === 'string' && { variant }) }
  return [{ platform, digest }]
}
