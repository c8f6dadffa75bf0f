import { joinPath } from '../paths.ts'
import type { Build } from '../service-parts.ts'
import type { Path } from '../yaml/tree.ts'
import type { Finding } from './finding.ts'
import { isInside, outside } from './resource-reach.ts'

/** Yields what a build reads or uses outside the stack. */
export function* buildReach(build: Build, path: Path, directory: string): Generator<Finding> {
  yield* filesOf(build, path, directory)
  if (build.privileged) yield { path: [...path, 'privileged'], detail: 'a privileged build' }
  for (const [index, name] of (build.entitlements ?? []).entries()) {
    yield { path: [...path, 'entitlements', index], detail: `the entitlement ${name}`, near: name }
  }
  const network = build.network ?? 'default'
  if (!['default', 'none', 'bridge'].includes(network)) {
    yield { path: [...path, 'network'], detail: `a build in the network ${network}` }
  }
  for (const [index, key] of (build.ssh ?? []).entries()) {
    yield { path: [...path, 'ssh', index], detail: "the host's SSH keys", near: key }
  }
  for (const kind of ['cache_from', 'cache_to'] as const) {
    for (const [index, cache] of (build[kind] ?? []).entries()) {
      if (!/(^|,)type=local(,|$)/.test(cache)) continue
      yield { path: [...path, kind, index], detail: 'a cache on the host', near: cache }
    }
  }
}

function* filesOf(build: Build, path: Path, directory: string): Generator<Finding> {
  const { context = directory, dockerfile } = build
  const local = context.startsWith('/') || isWindows(context)
  if (local && !isInside(directory, context)) {
    yield { path: [...path, 'context'], detail: outside(context) }
  } else if (dockerfile !== undefined && (local || dockerfile.startsWith('/'))) {
    const file = joinPath(local ? context : '/', dockerfile)
    if (!isInside(directory, file)) yield { path: [...path, 'dockerfile'], detail: outside(file) }
  }
  for (const [name, source] of Object.entries(build.additional_contexts ?? {})) {
    if (!(source.startsWith('/') || isWindows(source)) || isInside(directory, source)) continue
    yield { path: [...path, 'additional_contexts', name], detail: outside(source) }
  }
}

const isWindows = (path: string) => /^([A-Za-z]:[\\/]|\\\\)/.test(path)
