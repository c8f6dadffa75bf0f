import { createHash } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import type { LoadedProject } from '../../functions/core/compose/project.ts'
import type { Composer } from '../../functions/core/stacks/ports.ts'

/** Characters. Larger inputs are not cached. */
const inputMax = 64 * 1024
/** Bytes of all cached projects: a small file can make a large project. */
const bytesMax = 8 * 1024 * 1024

/**
 * Caches loaded projects by their complete input: the same texts give the same project, and a stack
 * is deployed, planned and stopped more often than it is changed. Each caller gets a copy. Failures
 * are not cached.
 */
export function rememberProjects(composer: Composer, entriesMax = 64): Composer {
  return remembering(composer, new Remembered(entriesMax))
}

function remembering(composer: Composer, known: Remembered): Composer {
  return {
    check: (inputs) => composer.check(inputs),
    plan: (question) => composer.plan(question),
    onBehalfOf: (caller) => remembering(composer.onBehalfOf(caller), known),
    async load(input) {
      const text = JSON.stringify(input)
      if (text.length > inputMax) return composer.load(input)
      const key = createHash('sha256').update(text).digest('base64')
      const found = known.get(key)
      if (found) return found
      const loaded = await composer.load(input)
      known.put(key, loaded)
      return loaded
    },
  }
}

/** Projects sorted by last use, serialized as for messages between processes. */
class Remembered {
  readonly #entriesMax: number
  readonly #known = new Map<string, Buffer>()
  #bytes = 0

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax
  }

  get(key: string): LoadedProject | undefined {
    const bytes = this.#known.get(key)
    if (!bytes) return undefined
    this.#known.delete(key)
    this.#known.set(key, bytes)
    return deserialize(bytes)
  }

  put(key: string, loaded: LoadedProject): void {
    const bytes = serialize(loaded)
    this.#drop(key)
    this.#known.set(key, bytes)
    this.#bytes += bytes.length
    while (this.#known.size > this.#entriesMax || this.#bytes > bytesMax) {
      this.#drop(this.#known.keys().next().value!)
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#known.get(key)?.length ?? 0
    this.#known.delete(key)
  }
}
