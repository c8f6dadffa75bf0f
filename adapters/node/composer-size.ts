import type { ComposerQuestion } from './composer-messages.ts'

/** About as many characters as a service or a container takes in a file or an answer of the Engine. */
const charactersEach = 500

/** How large a question is, in characters: of its texts, or about as many as its project and snapshot have. */
export function sizeOf(question: ComposerQuestion): number {
  if (question.kind === 'plan') {
    const { project, snapshot } = question.question
    const services = Object.keys(project?.services ?? {}).length
    return (services + snapshot.containers.length) * charactersEach
  }
  // The inputs of one question have the same files.
  const input = question.kind === 'load' ? question.input : question.inputs[0]
  return Object.values(input?.files ?? {}).reduce((sum, text) => sum + text.length, 0)
}
