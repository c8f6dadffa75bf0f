import type { ArtifactRegistry } from '../../functions/core/ports/artifact-registry.ts'
import { requireReplaceable } from '../../functions/core/publish/artifact.ts'
import type { Artifact, ArtifactBlob } from '../../functions/core/records/artifact.ts'
import type { Dialer } from '../net/outbound.ts'
import { OutboundTimeout } from '../net/request.ts'
import { allowedUrl } from './allowed-url.ts'
import { manifestTypes } from './manifest-types.ts'
import { parseObject, refusal, refused, unreachable } from './problems.ts'
import { RegistrySession } from './session.ts'

/** Milliseconds for one request, and for all of a push. */
const usual = { timeout: 30_000, whole: 120_000 }

/** Statuses with which registries refuse a form of manifest that they do not know. */
const unknownForm = [400, 404, 405, 415, 422]

/** Returns the writer of artifacts that speaks the HTTP API of registries, version 2. */
export function artifactRegistry(
  dialer: Dialer,
  { timeout, whole }: { timeout: number; whole: number } = usual,
): ArtifactRegistry {
  return {
    async push(target, artifact, account, signal) {
      const late = AbortSignal.timeout(whole)
      const ending = AbortSignal.any([signal, late])
      const limits = { timeout, signal: ending }
      const session = new RegistrySession(target, account, dialer, limits, 'pull,push')
      try {
        return await pushTo(session, target.tag, artifact)
      } catch (error) {
        if (!late.aborted || signal.aborted) throw error
        const tooLong = new OutboundTimeout(`it took longer than ${whole / 1000} s`)
        throw unreachable(session.origin.host, tooLong)
      }
    },
  }
}

async function pushTo(session: RegistrySession, tag: string, artifact: Artifact): Promise<string> {
  await refuseOther(session, tag, artifact)
  for (const blob of artifact.blobs) await sendBlob(session, blob)
  for (const [index, manifest] of artifact.manifests.entries()) {
    const answer = await session.send({
      method: 'PUT',
      to: `manifests/${tag}`,
      body: manifest.content,
      headers: { 'Content-Type': manifest.mediaType },
    })
    if (answer.status === 201) {
      const stored = answer.headers['docker-content-digest']
      if (stored === undefined || stored === manifest.digest) return manifest.digest
      throw refused('it stored something other than what was sent')
    }
    const isLast = index === artifact.manifests.length - 1
    if (isLast || !unknownForm.includes(answer.status)) {
      throw refusal('storing the manifest', answer)
    }
  }
  throw refused('there is no manifest')
}

/** @throws 409 if the tag has something that the artifact may not replace, such as an image */
async function refuseOther(session: RegistrySession, tag: string, artifact: Artifact) {
  const headers = { Accept: manifestTypes }
  const answer = await session.send({ method: 'GET', to: `manifests/${tag}`, headers })
  if (answer.status === 404) return
  if (answer.status !== 200) throw refusal('reading the tag', answer)
  requireReplaceable(answer.cut ? undefined : parseObject(answer.body), tag, artifact)
}

async function sendBlob(
  session: RegistrySession,
  { digest, content }: ArtifactBlob,
): Promise<void> {
  const known = await session.send({ method: 'HEAD', to: `blobs/${digest}` })
  if (known.status === 200) return
  const started = await session.send({ method: 'POST', to: 'blobs/uploads/' })
  if (started.status !== 202) throw refusal('starting an upload', started)
  const url = allowedUrl(started.headers.location, session.origin)
  if (!url) throw refused('it names a place for the upload that must not be used')
  // Keeps the query that the registry sent.
  url.search += `${url.search === '' ? '?' : '&'}digest=${encodeURIComponent(digest)}`
  const sent = await session.send({
    method: 'PUT',
    to: url,
    body: content,
    headers: { 'Content-Type': 'application/octet-stream' },
  })
  if (sent.status !== 201) throw refusal('an upload', sent)
  const stored = sent.headers['docker-content-digest']
  if (stored !== undefined && stored !== digest) {
    throw refused('it stored something other than what was sent')
  }
}
