import { createHash } from 'node:crypto'
import type { Platform } from '../../functions/compose/snapshot.ts'
import type { ImageRegistry } from '../../functions/core/ports/image-registry.ts'
import type {
  ImageManifest,
  ImageTag,
  RegistryQuota,
  TagAnswer,
} from '../../functions/core/records/image-manifest.ts'
import { digestPattern } from '../../functions/core/registries/oci-target.ts'
import type { Dialer } from '../net/outbound.ts'
import type { OutboundAnswer } from '../net/request.ts'
import { allowedUrl } from './allowed-url.ts'
import { follow } from './follow.ts'
import { manifestTypes } from './manifest-types.ts'
import { limited, parseObject, refusal, refused } from './problems.ts'
import { type RegistryAccount, RegistrySession } from './session.ts'

/** Milliseconds for one request. */
const usual = 30_000

/** Pages of a list of tags that are read, and tags that a page is asked to have. */
const pagesMax = 20
const pageSize = 1000

/** Returns the reader of images that speaks the HTTP API of registries, version 2. */
export function imageRegistry(dialer: Dialer, timeout = usual): ImageRegistry {
  // A token holds for all that is asked about a tag in one look.
  const sessions = new WeakMap<ImageTag, OpenSession>()
  const open = (tag: ImageTag, account: RegistryAccount | undefined, signal: AbortSignal) => {
    const known = sessions.get(tag)
    if (known?.account === account && known?.signal === signal) return known.session
    const session = new RegistrySession(tag, account, dialer, { timeout, signal }, 'pull')
    sessions.set(tag, { account, signal, session })
    return session
  }
  const headers = { Accept: manifestTypes }
  return {
    async digestOf(tag, account, signal) {
      const session = open(tag, account, signal)
      return tagAnswer(
        await follow(session, { method: 'HEAD', to: `manifests/${tag.tag}`, headers }),
      )
    },
    async manifest(tag, digest, account, signal) {
      const session = open(tag, account, signal)
      const answer = await follow(session, { method: 'GET', to: `manifests/${digest}`, headers })
      if (answer.status === 404) return undefined
      if (answer.status !== 200) throw refusal('reading a manifest', answer)
      return parseManifest(answer, digest)
    },
    async tags(tag, account, signal) {
      const session = open(tag, account, signal)
      const found: string[] = []
      let to: string | URL = `tags/list?n=${pageSize}`
      for (let page = 0; page < pagesMax; page += 1) {
        const answer = await session.send({ method: 'GET', to })
        if (answer.status === 429) throw limited(answer)
        if (answer.status !== 200) throw refusal('reading the list of tags', answer)
        found.push(...parseTags(answer))
        const next = nextPage(answer.headers.link, session.origin)
        if (!next) return found
        to = next
      }
      return undefined
    },
  }
}

interface OpenSession {
  account: RegistryAccount | undefined
  signal: AbortSignal
  session: RegistrySession
}

/** @throws 422 if the body is no list of tags */
function parseTags({ body, cut }: OutboundAnswer): string[] {
  const tags = cut ? undefined : parseObject(body)?.tags
  // A repository without tags.
  if (tags === null) return []
  if (!Array.isArray(tags)) throw refused('its response is no list of tags')
  return tags.filter((tag) => typeof tag === 'string' && tag.length <= 128)
}

/** Returns the next page of a list (RFC 8288), which must be of the same registry. */
function nextPage(link: string | string[] | undefined, origin: URL): URL | undefined {
  const [, path] = /^<([^>]+)>; *rel="?next"?/.exec(String(link ?? '')) ?? []
  const url = allowedUrl(path, origin)
  return url?.origin === origin.origin ? url : undefined
}

function tagAnswer(answer: OutboundAnswer): TagAnswer {
  const { status, headers } = answer
  if (status === 404) return { state: 'missing' }
  if (status !== 200) throw refusal('reading the tag', answer)
  const digest = String(headers['docker-content-digest'] ?? '')
  if (!digestPattern.test(digest)) throw refused('it does not say which digest the tag has')
  return { state: 'found', digest, quota: quotaOf(headers) }
}

/** Docker Hub writes `100;w=21600`: that many in a window of so many seconds. */
function quotaOf(headers: OutboundAnswer['headers']): RegistryQuota | undefined {
  const limit = Number.parseInt(String(headers['ratelimit-limit'] ?? ''), 10)
  const remaining = Number.parseInt(String(headers['ratelimit-remaining'] ?? ''), 10)
  return limit > 0 && remaining >= 0 ? { limit, remaining } : undefined
}

/** @throws 422 if the body is no manifest, or not the one with that digest */
function parseManifest({ body, cut }: OutboundAnswer, digest: string): ImageManifest {
  if (cut) throw refused('it sends a manifest that is too large')
  const sent = `sha256:${createHash('sha256').update(body).digest('hex')}`
  if (sent !== digest) throw refused('it sends a manifest with another digest')
  const object = parseObject(body)
  if (Array.isArray(object?.manifests)) {
    return { kind: 'index', images: object.manifests.flatMap(imageOf) }
  }
  const config = (object?.config as { digest?: unknown } | undefined)?.digest
  if (typeof config === 'string' && digestPattern.test(config)) return { kind: 'image', config }
  throw refused('its response is no manifest of an image')
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
