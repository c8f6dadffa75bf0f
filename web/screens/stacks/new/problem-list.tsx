import type { StackProblem, Validation } from '../../../data/validate-stack.ts'
import { State } from '../../../parts/state.tsx'
import { t } from '../../../text/text.ts'

interface ProblemListProps {
  of: Validation
  /** Goes to the place of a problem. */
  onOpen: (problem: StackProblem) => void
}

/** All problems of the files, each with a way to its line. */
export function ProblemList({ of, onOpen }: ProblemListProps) {
  const problems = of.problems.value
  const failure = of.failure.value
  if (failure) return <State of="attention" word={t.newStack.notChecked(failure.error)} />
  if (!problems) return null
  const word = problems.length > 0 ? t.newStack.problems(problems.length) : t.newStack.noProblems
  const state = problems.some(isError) ? 'failed' : problems.length > 0 ? 'attention' : 'running'
  return (
    <div class="problem-list">
      <p role="status">
        <State of={state} word={word} />
      </p>
      <ul>
        {problems.map((one) => (
          <li key={`${one.path}:${one.line}:${one.column} ${one.message}`}>
            <button type="button" onClick={() => onOpen(one)}>
              <State
                isShort
                of={isError(one) ? 'failed' : 'attention'}
                word={isError(one) ? t.newStack.error : t.newStack.warning}
              />
              <code>
                {one.path}:{one.line}
              </code>
              <span>{one.message}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

export const isError = ({ severity }: StackProblem) => severity === 'error'
