import { writeFileSync } from 'node:fs'
import { serialize } from 'node:v8'
import { load, loadAll } from '../../functions/core/compose/load/load.ts'
import { answerPlan } from '../../functions/core/compose/plan/question.ts'
import { Failure, unprocessable } from '../../functions/core/errors.ts'
import { expectations } from '../../functions/core/stacks/project.ts'
import type { ComposerAnswer, ComposerQuestion } from './composer-messages.ts'
import { collector } from './garbage.ts'

// The process that loads and plans compose files: one question at a time, one answer each.

/** Bytes. The service's event loop deserializes this much within about ten milliseconds. */
const answerBytesMax = 16 * 1024 * 1024

const say = (answer: ComposerAnswer) => process.send?.(answer)

// If memory runs out, the kernel ends this process and not the service. It writes no core dump.
for (const [file, value] of [
  ['oom_score_adj', '1000'],
  ['coredump_filter', '0'],
] as const) {
  try {
    writeFileSync(`/proc/self/${file}`, value)
  } catch {
    // Not available on every system.
  }
}

// The service ends this process, even while it drains, so signals to the process group are ignored.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

// The first load compiles the schema, which must not count as the time of a question.
const warm = load({
  name: 'warm',
  directory: '/',
  composeFiles: ['compose.yaml'],
  files: { 'compose.yaml': 'services: {warm: {image: warm, ports: ["80:80"]}}' },
  environment: {},
  profiles: [],
  reach: 'host',
})
answerPlan({ kind: 'stop', project: warm.project, snapshot: { containers: [] } })

// Compiling leaves much garbage, and the next full collection may be hours away.
collector()()

process.on('message', (question: ComposerQuestion) => say(bounded(answer(question))))
say({ kind: 'ready' })

function answer(question: ComposerQuestion): ComposerAnswer {
  try {
    return answerTo(question)
  } catch (error) {
    // An error's class is lost between processes.
    if (error instanceof Failure)
      return { kind: 'failed', status: error.status, message: error.message }
    return {
      kind: 'broken',
      reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  }
}

function answerTo(question: ComposerQuestion): ComposerAnswer {
  if (question.kind === 'load') return { kind: 'loaded', loaded: load(question.input) }
  if (question.kind === 'plan') return { kind: 'planned', answer: answerPlan(question.question) }
  const [first] = loadAll(question.inputs)
  return { kind: 'checked', services: first ? expectations(first.project) : {} }
}

/** Replaces an answer that would block the service for too long. */
function bounded(answer: ComposerAnswer): ComposerAnswer {
  if (serialize(answer).length <= answerBytesMax) return answer
  const { status, message } = unprocessable('the project is too large: its plan exceeds 16 MiB')
  return { kind: 'failed', status, message }
}
