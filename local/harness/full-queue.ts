import { overloaded } from '../../functions/core/errors.ts'
import type { Composer } from '../../functions/core/ports/composer.ts'

/**
 * Replaces the composer by one whose queue can be full: it then refuses callers, and lets work in
 * the background have its turn.
 */
export function givenQueue(ports: { composer: Composer }): { isFull: boolean } {
  const { composer } = ports
  const queue = { isFull: false }
  const admit = async () => {
    if (!queue.isFull) return
    throw overloaded('too many compose files are being read: try again in a moment')
  }
  const ofCaller: Composer = {
    ...composer,
    load: (input) => admit().then(() => composer.load(input)),
    plan: (question) => admit().then(() => composer.plan(question)),
    onBehalfOf: () => ofCaller,
    inBackground: () => composer,
  }
  ports.composer = { ...composer, onBehalfOf: () => ofCaller }
  return queue
}
