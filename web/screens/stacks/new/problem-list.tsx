import { knownOf } from '../../../data/known-problems.ts'
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
  const problems = of.problems.value ?? []
  // An empty text is not checked.
  if (!of.problems.value && !of.failure.value && !of.isChecking.value) return null
  return (
    <div class="problem-list">
      <p role="status">
        <Verdict of={of} />
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

/** Whether there are problems, as far as that is known. */
function Verdict({ of }: Pick<ProblemListProps, 'of'>) {
  const problems = of.problems.value ?? []
  const known = knownOf(of)
  if (known === 'loading') return <State of="working" word={t.files.checking} />
  if (known === 'failed')
    return <State of="attention" word={t.newStack.notChecked(of.failure.value?.error ?? '')} />
  if (known === 'empty') return <State of="running" word={t.newStack.noProblems} />
  const state = problems.some(isError) ? 'failed' : 'attention'
  return <State of={state} word={t.newStack.problems(problems.length)} />
}

export const isError = ({ severity }: StackProblem) => severity === 'error'
