import { isDockerFrontend } from '../build/dockerfile-dials.ts'
import { cacheImage } from '../create/image-build.ts'
import type { Build } from '../service-parts.ts'
import type { Path } from '../yaml/tree.ts'
import { type Dial, registryDial } from './dial.ts'

/**
 * Yields what a builder dials because of the attributes of a build. `tags` only name the result and
 * dial nothing.
 */
export function* buildDials(build: Build, at: Path): Generator<Dial> {
  const { context } = build
  if (context !== undefined && !isPath(context)) {
    yield { kind: 'build context', target: context, path: [...at, 'context'] }
  }
  for (const [name, source] of Object.entries(build.additional_contexts ?? {})) {
    yield* contextDials(source, [...at, 'additional_contexts', name])
  }
  for (const kind of ['cache_from', 'cache_to'] as const) {
    for (const [index, entry] of (build[kind] ?? []).entries()) {
      const image = cacheImage(entry)
      const path = [...at, kind, index]
      if (image !== undefined) yield { ...registryDial(image, path), near: entry }
      else yield { kind: 'build cache', target: entry, path, near: entry }
    }
  }
  // BuildKit runs the image that this argument names to parse the Dockerfile.
  const syntax = build.args?.BUILDKIT_SYNTAX
  if (syntax) yield frontendDial(syntax, [...at, 'args', 'BUILDKIT_SYNTAX'])
  for (const kind of ['sbom', 'provenance'] as const) {
    // With several, which one counts is up to the builder.
    for (const [, generator = ''] of (build[kind] ?? '').matchAll(/(?:^|[,"])generator=([^,"]+)/gm))
      yield registryDial(generator, [...at, kind])
  }
}

/**
 * A frontend other than Docker's own is a third-party program, which can make the builder fetch
 * anything.
 */
const frontendDial = (image: string, path: Path): Dial =>
  isDockerFrontend(image)
    ? registryDial(image, path)
    : { kind: 'build frontend', target: image, path }

function* contextDials(source: string, path: Path): Generator<Dial> {
  if (isPath(source) || source.startsWith('service:')) return
  const [, image] = /^docker-image:\/\/(.+)$/.exec(source) ?? []
  if (image !== undefined) yield registryDial(image, path)
  else yield { kind: 'build context', target: source, path }
}

/** The loader has made paths absolute, so any other source is an address of some form. */
const isPath = (source: string) => source.startsWith('/') || /^([A-Za-z]:[\\/]|\\\\)/.test(source)
