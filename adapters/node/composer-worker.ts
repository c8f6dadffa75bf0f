import { parentPort } from 'node:worker_threads'
import { load, loadAll } from '../../functions/core/compose/load/load.ts'
import { Failure } from '../../functions/core/errors.ts'
import { expectations } from '../../functions/core/stacks/project.ts'
import type { ComposerAnswer, ComposerQuestion } from './composer-messages.ts'
import { collector } from './garbage.ts'

// The thread in which compose files are read: one question after the other, each with one answer.

const port = parentPort
if (!port) throw new Error('this is the worker of composer.ts and runs nowhere else')

// What is made at the first load, the schema's compiled form above all, is made before any load is timed.
load({
  name: 'warm',
  directory: '/',
  composeFiles: ['compose.yaml'],
  files: { 'compose.yaml': 'services: {warm: {image: warm, ports: ["80:80"]}}' },
  environment: {},
  profiles: [],
  reach: 'host',
})

// Compiling leaves as much behind as it makes, and the next whole collection may be hours away.
collector()()

port.on('message', (question: ComposerQuestion) => port.postMessage(answer(question)))
port.postMessage({ kind: 'ready' } satisfies ComposerAnswer)

function answer(question: ComposerQuestion): ComposerAnswer {
  try {
    if (question.kind === 'load') return { kind: 'loaded', loaded: load(question.input) }
    const [first] = loadAll(question.inputs)
    return { kind: 'checked', services: first ? expectations(first.project) : {} }
  } catch (error) {
    // An error's class does not cross between threads.
    if (error instanceof Failure)
      return { kind: 'failed', status: error.status, message: error.message }
    return {
      kind: 'broken',
      reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  }
}
