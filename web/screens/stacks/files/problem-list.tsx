import { CircleX, TriangleAlert } from 'lucide'
import { knownOf } from '../../../data/known-problems.ts'
import { can } from '../../../data/session.ts'
import type { StackProblem, Validation } from '../../../data/validate-stack.ts'
import { Icon } from '../../../parts/icon.tsx'
import { t } from '../../../text/text.ts'

interface ProblemListProps {
  validation: Validation
  onOpen: (problem: StackProblem) => void
}

/** The problems of the edited files. Each line is a link to its place. */
export function ProblemList({ validation, onOpen }: ProblemListProps) {
  const { problems, isChecking } = validation
  const found = problems.value ?? []
  if (!can('stacks:create') && !can('stacks:update')) return null
  return (
    <section class="files-problems" aria-label={t.editor.phrases.Diagnostics}>
      <p role="status" aria-busy={isChecking.value}>
        {can('stacks:create') ? wordsOf(validation) : t.files.notChecked}
      </p>
      {found.length > 0 && (
        <ol>
          {found.map((problem, index) => (
            <li key={index}>
              <button type="button" onClick={() => onOpen(problem)}>
                <span class={`problem-mark ${problem.severity}`}>
                  <Icon of={problem.severity === 'error' ? CircleX : TriangleAlert} />
                  <span class="hidden-text">
                    {problem.severity === 'error' ? t.files.error : t.files.warning}
                  </span>
                </span>
                <code>
                  {problem.path}:{problem.line}
                </code>
                <span>{problem.message}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function wordsOf(validation: Validation): string {
  const { problems, failure } = validation
  if (knownOf(validation) === 'loading') return t.files.checking
  if (failure.value) return t.files.checkFailed(failure.value.error)
  const found = problems.value ?? []
  const errors = found.filter(({ severity }) => severity === 'error').length
  return t.files.problems(errors, found.length - errors)
}
