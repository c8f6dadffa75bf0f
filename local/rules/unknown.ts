import { codeOf } from './program-text.ts'
import type { Source } from './source.ts'

/** Files of the browser UI that may show a skeleton themselves, and why. */
export const mayShowSkeleton: Record<string, string> = {
  'web/frame/loaded.tsx': 'shows it for all others',
  'web/shell/gate.tsx': 'waits for the session',
  'web/parts/editor.tsx': 'waits for its code',
  'web/screens/containers/terminal.tsx': 'waits for its code',
  'web/screens/stacks/stack-list.tsx': 'waits for what filters stacks that are known already',
  'web/screens/kit/messages.tsx': 'shows every part',
}

/**
 * Returns where the browser UI decides itself what it says while something loads, instead of with
 * `Loaded`: so it said that there is nothing before that was known.
 */
export function ownSkeletons(sources: readonly Source[], allowed = mayShowSkeleton): string[] {
  const found = sources
    .filter(({ path, text }) => path.startsWith('web/') && /<Skeleton\b/.test(codeOf(text)))
    .map(({ path }) => path)
  const unneeded = Object.keys(allowed).filter((path) => !found.includes(path))
  return [
    ...found
      .filter((path) => !Object.hasOwn(allowed, path))
      .map((path) => `${path}: shows a skeleton, use Loaded of web/frame/loaded.tsx`),
    ...unneeded.map((path) => `${path}: needs no exception`),
  ]
}
