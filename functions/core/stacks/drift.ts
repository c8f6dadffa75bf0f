import type { Needs } from '../ports.ts'
import type { StackRecord } from './stack.ts'
import { hostFiles, readTexts } from './texts.ts'

/** A file on the host that is not as it was last written. */
export interface Drift {
  path: string
  change: 'modified' | 'missing'
}

/**
 * Compares the stack's directory with what was last written there, by path. Nothing differs where nothing was written;
 * a host that does not answer cannot say, and differs in nothing.
 */
export async function driftOf(
  stack: StackRecord,
  ports: Needs<'texts' | 'engines'>,
): Promise<Drift[]> {
  if (!stack.written) return []
  const written = hostFiles(await readTexts(stack.written, ports))
  const paths = written.map((file) => file.path)
  const found = await ports.engines
    .on(stack.hostId)
    .then((engine) => engine.readFiles(stack.directory, paths))
    .catch(() => undefined)
  if (!found) return []
  const byPath = new Map(found.map((file) => [file.path, file.content]))
  return written
    .flatMap(({ path, content }): Drift[] => {
      const now = byPath.get(path)
      if (!now) return [{ path, change: 'missing' }]
      return same(now, content) ? [] : [{ path, change: 'modified' }]
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

const same = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, index) => byte === other[index])
