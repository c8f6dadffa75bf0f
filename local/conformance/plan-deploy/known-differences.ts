import type { Json } from '../../../adapters/testing/json.ts'
import { type Difference, otherFetchOrder, type Pair } from './compare.ts'

/** Something that a plan and its deploy may say differently, and why that is right. */
interface KnownDifference {
  reason: string
  covers(difference: Difference, pair: Pair): boolean
}

/** Every difference between plans and deploys that is meant. The list may only shrink. */
export const knownDifferences: Record<string, KnownDifference> = {
  'warnings of the files': {
    reason:
      'They do not depend on the host. `POST /stacks/validate` has them with their lines, and the client shows both.',
    covers: ({ of, about, text }, { validated }) =>
      of === 'deploy' && about === 'warning' && validated.includes(text),
  },
  'images that moved': {
    reason: 'The plan has rows of their own for them, with the action `drift`.',
    covers: ({ of, text }, pair) =>
      of === 'deploy' &&
      rowsOf(pair, 'drift', 'image').some(({ name }) => text.includes(`${name} (moved from`)),
  },
  'files edited on the host': {
    reason: 'The plan goes on, so that it shows what a deploy with `on_drift` does.',
    covers: ({ of, about }, pair) =>
      of === 'deploy' &&
      about === 'refusal' &&
      rowsOf(pair, 'drift', 'file').length > 0 &&
      rowsOf(pair, 'drift', 'file').every(({ name }) =>
        pair.deploy.json.error.includes(`${name} (`),
      ),
  },
  'names to accept': {
    reason: 'The plan warns of each and goes on. A deploy accepts them with `accept_references`.',
    covers: ({ of, text }, pair) =>
      of === 'deploy' &&
      text.startsWith('409 ') &&
      rowsOf(pair, 'warning', 'reference').length > 0 &&
      rowsOf(pair, 'warning', 'reference').every((row) => text.includes(row.reason)),
  },
  'what a pull or build brings': {
    reason:
      'Only after it is known whether the image is another one. If it is, its containers are replaced, with those that depend on them.',
    covers: ({ about }, { plan, deploy }) =>
      about === 'step' &&
      plan.json.some(({ kind }: Json) => kind === 'image') &&
      deploy.json.steps.some(({ reason }: Json) => reason === 'image changed'),
  },
  'order of pulls and builds': {
    reason:
      'They run side by side. A deploy begins with those of services that have containers, because the rest depends on what they bring.',
    covers: ({ text }) => text === otherFetchOrder,
  },
  'rights of the caller': {
    reason: 'A plan changes nothing, so the permission to read the stack is enough for it.',
    covers: ({ about }, { deploy, as }) =>
      about === 'refusal' && as === 'operator' && deploy.status === 403,
  },
}

const rowsOf = ({ plan }: Pair, action: string, kind: string): Json[] =>
  plan.status === 200
    ? plan.json.filter((row: Json) => row.action === action && row.kind === kind)
    : []

/** Returns the name of the entry that a difference is one of, or undefined if it is a fault. */
export const nameOfKnown = (difference: Difference, pair: Pair): string | undefined =>
  Object.keys(knownDifferences).find((name) => knownDifferences[name]?.covers(difference, pair))
