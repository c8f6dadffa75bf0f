import { useResource } from '../../data/cache.ts'
import { Badge } from '../../parts/badge.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { t } from '../../text/text.ts'

interface FileDiffsProps {
  name: string
  /** States of the stack, as in `GET /stacks/{name}/diff`. */
  from: string
  to: string
  /** What is said if nothing differs. */
  none: string
}

const kinds = { added: 'running', removed: 'failed', modified: 'attention' } as const

/** The files that differ between two states of a stack, with their lines. */
export function FileDiffs({ name, from, to, none }: FileDiffsProps) {
  const { value, problem, reload } = useResource('/stacks/{name}/diff', { name, from, to })
  const files = value.value
  if (!files && problem.value)
    return <Problem title={t.stack.noDiff} {...problem.value} onRetry={() => void reload()} />
  if (!files) return <Skeleton what={t.stack.theFiles} rows={3} />
  if (files.length === 0) return <p class="quiet-text">{none}</p>
  return (
    <div class="file-diffs">
      {files.map(({ path, change, diff, hidden }) => (
        <div key={path}>
          <h3>
            <code>{path}</code> <Badge kind={kinds[change]}>{t.stack.fileChange[change]}</Badge>
          </h3>
          {diff !== null ? (
            <Diff label={path} text={diff} />
          ) : (
            <p class="quiet-text">{hidden && t.stack.hidden[hidden]}</p>
          )}
        </div>
      ))}
    </div>
  )
}
