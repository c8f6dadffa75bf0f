import { quoted } from '../../folder/quoted.ts'
import { clean } from '../../output/text.ts'
import type { PeerStack } from '../peer-stack.ts'

/** Returns commands that keep the images of stacks up to date as Komodo does, one line each. */
export function updateProposals(stacks: readonly PeerStack[]): string[] {
  const lines = stacks.flatMap(({ name, updates }) =>
    name === null || updates === 'none'
      ? []
      : [clean(`  cli stacks update-policy ${quoted(name)} --mode ${updates}`)],
  )
  if (lines.length === 0) return []
  return [
    'what Komodo does about newer images is not set here yet. A proposal:',
    ...lines,
    '  an image waits 72 hours before it is applied: --minimum-age says how long',
  ]
}
