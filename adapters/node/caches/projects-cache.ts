import { createHash } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import { LRUCache } from 'lru-cache'
import type { LoadedProject } from '../../../functions/compose/load/loaded-project.ts'
import { UnreadFiles } from '../../../functions/compose/load/unread-files.ts'
import type { ComposeInput } from '../../../functions/compose/project.ts'
import type { Composer } from '../../../functions/core/ports/composer.ts'

/** Characters. Larger inputs are not cached. */
const inputMax = 512 * 1024
/** Bytes of all cached projects: a small file can make a large project. */
const bytesMax = 8 * 1024 * 1024

/**
 * Caches loaded projects by their complete input: the same texts give the same project, and a stack
 * is deployed, planned and stopped more often than it is changed. So are the files that the loader
 * needs. Each caller gets a copy. Failures are not cached.
 */
export function cacheProjects(composer: Composer, entriesMax = 64): Composer {
  const known: Projects = new LRUCache({
    max: entriesMax,
    maxSize: bytesMax,
    sizeCalculation: (bytes) => bytes.length,
  })
  return remembering(composer, known)
}

/** Serialized `Answer`s by the digest of their input. */
type Projects = LRUCache<string, Buffer>

function remembering(composer: Composer, known: Projects): Composer {
  return {
    check: (inputs) => composer.check(inputs),
    diagnose: (inputs, options) => composer.diagnose(inputs, options),
    resolve: (input, options) => composer.resolve(input, options),
    publication: (input, options) => composer.publication(input, options),
    secretUses: (inputs) => composer.secretUses(inputs),
    plan: (question) => composer.plan(question),
    explain: (question) => composer.explain(question),
    diff: (pairs) => composer.diff(pairs),
    onBehalfOf: (caller) => remembering(composer.onBehalfOf(caller), known),
    inBackground: () => remembering(composer.inBackground(), known),
    async load(input) {
      const text = JSON.stringify(input)
      if (text.length > inputMax) return composer.load(input)
      const key = createHash('sha256').update(text).digest('base64')
      const found = known.get(key)
      if (found) return resultOf(deserialize(found))
      const answer = await answerTo(input, composer)
      known.set(key, serialize(answer))
      return resultOf(answer)
    },
  }
}

/** A project, or the files that are needed to load it. */
type Answer = { loaded: LoadedProject } | { unread: readonly string[] }

async function answerTo(input: ComposeInput, composer: Composer): Promise<Answer> {
  try {
    return { loaded: await composer.load(input) }
  } catch (error) {
    if (error instanceof UnreadFiles) return { unread: error.paths }
    throw error
  }
}

function resultOf(answer: Answer): LoadedProject {
  if ('loaded' in answer) return answer.loaded
  throw new UnreadFiles(answer.unread)
}
