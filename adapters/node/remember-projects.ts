import { createHash } from 'node:crypto'
import type { LoadedProject } from '../../functions/core/compose/project.ts'
import type { Composer } from '../../functions/core/stacks/ports.ts'

/** Projects of larger files are read each time. Characters of input. */
const inputMax = 64 * 1024

/**
 * Remembers what was loaded lately, by all that it was loaded from: the same texts make the same project, and a stack is
 * deployed, planned and stopped more often than it is changed. Each caller gets a copy. Failures are not remembered.
 */
export function rememberProjects(composer: Composer, entriesMax = 64): Composer {
  return remembering(composer, new Map(), entriesMax)
}

function remembering(
  composer: Composer,
  known: Map<string, LoadedProject>,
  entriesMax: number,
): Composer {
  return {
    check: (inputs) => composer.check(inputs),
    plan: (question) => composer.plan(question),
    onBehalfOf: (caller) => remembering(composer.onBehalfOf(caller), known, entriesMax),
    async load(input) {
      const text = JSON.stringify(input)
      if (text.length > inputMax) return composer.load(input)
      const key = createHash('sha256').update(text).digest('base64')
      const loaded = known.get(key) ?? (await composer.load(input))
      known.delete(key)
      known.set(key, loaded)
      if (known.size > entriesMax) known.delete(known.keys().next().value!)
      return structuredClone(loaded)
    },
  }
}
