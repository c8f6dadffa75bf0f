import { writeFileSync } from 'node:fs'
import { serialize } from 'node:v8'
import { diagnose } from '../../../functions/compose/diagnose/diagnose.ts'
import { load, loadAll } from '../../../functions/compose/load/load.ts'
import { UnreadFiles } from '../../../functions/compose/load/unread-files.ts'
import { explainChanges } from '../../../functions/compose/plan/compare/explain-changes.ts'
import { makePlan } from '../../../functions/compose/plan/plan-request.ts'
import type { ComposeInput } from '../../../functions/compose/project.ts'
import { publication } from '../../../functions/compose/publish/publication.ts'
import { resolveModel } from '../../../functions/compose/show/resolve.ts'
import { secretUses } from '../../../functions/compose/show/secret-uses.ts'
import { diffTexts } from '../../../functions/core/diff/diff-texts.ts'
import { Failure, unprocessable } from '../../../functions/core/errors.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import { checkedProject } from '../../../functions/core/stacks/load-project.ts'
import type { ComposerAnswer, ComposerQuestion } from './messages.ts'

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
  } catch (error) {
    // Not available on every system.
    ignoreError('set the memory priority of a worker')(error)
  }
}

// The service ends this process, even while it drains, so signals to the process group are ignored.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

// The first load compiles the schema, which must not count as the time of a question.
const sample: ComposeInput = {
  name: 'warm',
  directory: '/',
  composeFiles: ['compose.yaml'],
  files: { 'compose.yaml': 'services: {warm: {image: warm, ports: ["80:80"]}}' },
  environment: {},
  profiles: [],
  reach: 'host',
}
const warm = load(sample)
diagnose([sample], { anyName: false, showsSecrets: true })
makePlan({ kind: 'stop', project: warm.project, snapshot: { containers: [] }, options: {} })

process.on('message', (question: ComposerQuestion) => say(bounded(answer(question))))
say({ kind: 'ready' })

function answer(question: ComposerQuestion): ComposerAnswer {
  try {
    return answerTo(question)
  } catch (error) {
    // An error's class is lost between processes.
    if (error instanceof Failure) return failed(error)
    if (error instanceof UnreadFiles) return { kind: 'unread', paths: error.paths }
    return {
      kind: 'broken',
      reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  }
}

function answerTo(question: ComposerQuestion): ComposerAnswer {
  if (question.kind === 'load') return { kind: 'loaded', loaded: load(question.input) }
  if (question.kind === 'diagnose') {
    return { kind: 'diagnosed', diagnosis: diagnose(question.inputs, question.options) }
  }
  if (question.kind === 'resolve') {
    return { kind: 'resolved', model: resolveModel(question.input, question.options) }
  }
  if (question.kind === 'publication') {
    return { kind: 'publishable', publication: publication(question.input, question.options) }
  }
  if (question.kind === 'secret-uses') {
    return { kind: 'uses-found', uses: secretUses(question.inputs) }
  }
  if (question.kind === 'plan') return { kind: 'planned', answer: makePlan(question.question) }
  if (question.kind === 'diff') return { kind: 'diffed', diffs: diffTexts(question.pairs) }
  if (question.kind === 'explain') {
    return { kind: 'explained', fields: explainChanges(question.question) }
  }
  return { kind: 'checked', checked: checkedProject(loadAll(question.inputs)) }
}

/** Replaces an answer that would block the service for too long. */
function bounded(answer: ComposerAnswer): ComposerAnswer {
  if (serialize(answer).length <= answerBytesMax) return answer
  const tooLarge = 'the project is too large: its plan exceeds 16 MiB'
  return failed(unprocessable(tooLarge, { reason: 'limit' }))
}

const failed = ({ status, message, reason }: Failure): ComposerAnswer => ({
  kind: 'failed',
  status,
  message,
  reason,
})
