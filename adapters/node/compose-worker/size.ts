import type { ComposerQuestion } from './messages.ts'

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
  if (question.kind === 'diff') {
    return question.pairs.reduce(
      (sum, { before, after }) => sum + (before?.text.length ?? 0) + (after?.text.length ?? 0),
      0,
    )
  }
  if (question.kind === 'explain') {
    return lengthOf(question.question.before.files) + lengthOf(question.question.files)
  }
  // All inputs of a question have the same files.
  const input = 'input' in question ? question.input : question.inputs[0]
  return lengthOf(input?.files ?? {})
}

const lengthOf = (files: Record<string, string>) =>
  Object.values(files).reduce((sum, text) => sum + text.length, 0)
