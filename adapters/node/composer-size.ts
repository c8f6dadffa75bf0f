import type { ComposerQuestion } from './composer-messages.ts'

/** The approximate characters of a service or a container. */
const charactersEach = 500

/**
 * Returns the size of a question in characters: of its texts, or an estimate from its project and
 * snapshot.
 */
export function sizeOf(question: ComposerQuestion): number {
  if (question.kind === 'plan') {
    const { project, snapshot } = question.question
    const services = Object.keys(project?.services ?? {}).length
    return (services + snapshot.containers.length) * charactersEach
  }
  // All inputs of a question have the same files.
  const input = question.kind === 'load' ? question.input : question.inputs[0]
  return Object.values(input?.files ?? {}).reduce((sum, text) => sum + text.length, 0)
}
